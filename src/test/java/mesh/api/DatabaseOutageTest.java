package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.api.RevocationBehaviour.StartedRun;
import mesh.database.FaultyDatabase;
import mesh.simulator.sprites.SpritesSimulator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Nobody can tell whether a running command may go on: it is ended within six seconds, its sandbox
 * destroyed at the vendor though no row can say so yet, and the run never gets another: case 25.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DatabaseOutageTest {

  private static final Duration PROMISED = Duration.ofSeconds(6);

  private FaultyDatabase database;
  private SpritesSimulator vendor;
  private TestMesh mesh;

  @BeforeEach
  void start() throws IOException {
    database = FaultyDatabase.start();
    vendor = SpritesSimulator.start(0);
    mesh = TestMesh.at(database.url());
    Runtimes.onlySprites(mesh, vendor);
    mesh.admin().post("/api/agents", "{\"slug\":\"builder\",\"name\":\"B\"}").ok();
    mesh.admin()
        .put(
            "/api/agents/builder/credentials/github",
            "{\"token\":\"%s\",\"account\":{\"login\":\"bot\"}}".formatted(Canaries.fresh("ghp_")))
        .ok();
  }

  @AfterEach
  void stop() {
    mesh.close();
    vendor.close();
    database.close();
  }

  @Test
  void stopped() {
    endsWhatRuns("stopped", FaultyDatabase::stop, FaultyDatabase::startAgain);
  }

  @Test
  void frozen() {
    endsWhatRuns("frozen", FaultyDatabase::freeze, FaultyDatabase::thaw);
  }

  @Test
  void cutOff() {
    endsWhatRuns("cut off", FaultyDatabase::cut, FaultyDatabase::mend);
  }

  private void endsWhatRuns(
      String outage, Consumer<FaultyDatabase> begin, Consumer<FaultyDatabase> end) {
    var created =
        mesh.admin().post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
    var run =
        new StartedRun(
            created.get("id").asString(), mesh.with(created.get("token").asString()), mesh.admin());
    var command = run.begin("touch started; sleep 120");
    run.await("started");

    long began = System.nanoTime();
    begin.accept(database);

    Await.until(PROMISED, vendor::runningCommands, running -> running == 0);
    var ended = Duration.ofNanos(System.nanoTime() - began);
    Await.until(PROMISED, vendor::sprites, Map::isEmpty);
    var gone = Duration.ofNanos(System.nanoTime() - began);
    System.out.printf(
        "database %s: command ended after %d ms, sandbox gone after %d ms%n",
        outage, ended.toMillis(), gone.toMillis());
    assertThat(ended).isLessThan(PROMISED);

    // Without its database Mesh can answer nothing, but it answers.
    assertThat(StartedRun.within(command, Duration.ofSeconds(60)).status())
        .isGreaterThanOrEqualTo(400);
    end.accept(database);
    Await.until(
        Duration.ofSeconds(60),
        () -> mesh.admin().get("/api/runs/" + run.id()).status(),
        status -> status == 200);
    Await.until(Duration.ofSeconds(60), run::workspaceStatus, "released"::equals);
    var next = run.exec("true");
    assertThat(next.status()).as(next.text()).isEqualTo(409);
    assertThat(next.json().get("code").asString()).isEqualTo("authorization_unknown");
    assertThat(vendor.sprites()).isEmpty();
  }
}
