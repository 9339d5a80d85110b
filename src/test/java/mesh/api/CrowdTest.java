package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.TestMesh.Answer;
import mesh.TestMesh.Client;
import mesh.database.TestDatabase;
import mesh.simulator.sprites.CallKind;
import mesh.simulator.sprites.Fault;
import mesh.simulator.sprites.SpritesSimulator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That many want the same thing at once makes them wait, and nothing else. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class CrowdTest {

  private static final int MANY = 12;

  private final TestDatabase database = TestDatabase.fresh();
  private SpritesSimulator vendor;
  private TestMesh mesh;

  @BeforeEach
  void start() throws IOException {
    vendor = SpritesSimulator.start(0);
    mesh = TestMesh.on(database);
    Runtimes.onlySprites(mesh, vendor);
    mesh.admin()
        .post(
            "/api/agents",
            "{\"slug\":\"builder\",\"name\":\"B\",\"max_concurrent_workspaces\":100}")
        .ok();
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
  }

  /** More than there are connections that hold the locks of a delivery, each for four seconds. */
  @Test
  void aVendorThatTakesLongToBeGivenCredentialsCostsNobodyHisSandbox() throws Exception {
    var agents = IntStream.range(0, MANY).mapToObj(_ -> newRun()).toList();
    var _ = all(agents, agent -> agent.tool("workspace_exec", "{\"argv\":[\"true\"]}"));
    vendor.faults().always(CallKind.EXEC, Fault.slow(Duration.ofSeconds(4)));

    var answers = all(agents, agent -> agent.tool("workspace_exec", "{\"argv\":[\"true\"]}"));

    assertThat(answers)
        .allSatisfy(answer -> assertThat(answer.status()).as(answer.text()).isEqualTo(200));
    vendor.faults().clear();
  }

  /** Longer than any statement waits for a lock. */
  @Test
  void aClaimThatFindsItsAgentLockedWaits() throws Exception {
    var agent = newRun();
    var over = Duration.ofSeconds(4);

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var answer =
          database
              .transactions()
              .execute(_ -> {
                database
                    .jdbc()
                    .sql("select id from runtime_agents where slug = 'builder' for update")
                    .query()
                    .listOfRows();
                var call =
                    threads.submit(() -> agent.tool("workspace_exec", "{\"argv\":[\"true\"]}"));
                var until = Instant.now().plus(over);
                Await.until(over.multipliedBy(2), Instant::now, now -> now.isAfter(until));
                assertThat(call).isNotDone();
                return call;
              });

      assertThat(answer.get().status()).as(answer.get().text()).isEqualTo(200);
    }
  }

  private Client newRun() {
    var created =
        mesh.admin().post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
    return mesh.with(created.get("token").asString());
  }

  private interface Call {
    Answer of(Client agent);
  }

  private static List<Answer> all(List<Client> agents, Call call) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      return threads
          .invokeAll(agents.stream().<Callable<Answer>>map(agent -> () -> call.of(agent)).toList())
          .stream()
          .map(future -> future.resultNow())
          .toList();
    }
  }
}
