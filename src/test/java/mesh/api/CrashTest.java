package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import mesh.Await;
import mesh.ServerProcess;
import mesh.TestMesh.Client;
import mesh.database.TestDatabase;
import mesh.simulator.sprites.CallKind;
import mesh.simulator.sprites.Fault;
import mesh.simulator.sprites.SpritesSimulator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Case 11: the process dies after the vendor was asked for a sandbox and before the row knows. */
class CrashTest {

  @TempDir Path first;
  @TempDir Path second;

  private final TestDatabase database = TestDatabase.fresh();
  private SpritesSimulator vendor;
  private ServerProcess server;
  private JsonNode run;

  @BeforeEach
  void dieWhileTheVendorMakesTheSandbox() throws IOException {
    vendor = SpritesSimulator.start(0);
    server = start(first);
    var admin = server.admin();
    Await.until(
        Duration.ofMinutes(2),
        () -> admin.get("/api/workspaces").ok().get("workspaces"),
        all -> !all.isEmpty() && all.get(0).get("status").asString().equals("released"));
    Runtimes.onlySprites(admin, vendor);
    admin.post("/api/agents", "{\"slug\":\"builder\",\"name\":\"Builder\"}").ok();
    run = admin.post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
    vendor.faults().next(CallKind.CREATE, Fault.slow(Duration.ofSeconds(2)));
    var agent = agent(server);
    Thread.ofVirtual().start(() -> callInVain(agent));
    Await.until(Duration.ofSeconds(30), () -> vendor.calls(CallKind.CREATE).size(), n -> n == 1);

    // The row, with its key, is committed at the very moment the vendor is asked.
    assertThat(row().get("state")).isEqualTo("creating");

    server.kill();
    Files.copy(first.resolve("keyset.json"), second.resolve("keyset.json"));
    Files.copy(first.resolve("bootstrap-token"), second.resolve("bootstrap-token"));
    server = start(second);
    Await.until(Duration.ofSeconds(30), vendor::sprites, made -> made.size() == 1);
    assertThat(vendor.sprites()).containsOnlyKeys(String.valueOf(row().get("create_key")));
  }

  @AfterEach
  void stop() {
    server.close();
    vendor.close();
    database.close();
  }

  @Test
  void theNextCallFindsTheSandboxByItsNameAndMakesNoSecond() {
    var result = agent(server).exec("echo", "again");

    assertThat(result.get("stdout").asString()).isEqualTo("again\n");
    assertThat(vendor.sprites()).hasSize(1);
    assertThat(row().get("state")).isEqualTo("ready");
  }

  @Test
  void theEndOfTheRunReleasesASandboxWhoseAnswerNobodySaw() {
    server.admin().post("/api/runs/" + run.get("id").asString() + "/cancel", "").ok();

    Await.until(Duration.ofSeconds(60), vendor::sprites, Map::isEmpty);
    Await.until(Duration.ofSeconds(30), () -> row().get("state"), "released"::equals);
  }

  private ServerProcess start(Path folder) {
    return ServerProcess.begin(folder, "spring.datasource.url=" + database.url()).ready();
  }

  private Client agent(ServerProcess at) {
    return at.with(run.get("token").asString());
  }

  private static void callInVain(Client agent) {
    try {
      agent.exec("true");
    } catch (RuntimeException | AssertionError killed) {
      // Its server dies in the middle; that is the point.
    }
  }

  private Map<String, Object> row() {
    return database
        .jdbc()
        .sql("select state, create_key from workspaces where run_id = cast(:run as uuid)")
        .param("run", run.get("id").asString())
        .query()
        .singleRow();
  }
}
