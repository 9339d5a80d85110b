package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import mesh.Await;
import mesh.ServerProcess;
import mesh.TestMesh;
import mesh.database.TestDatabase;
import mesh.simulator.sprites.CallKind;
import mesh.simulator.sprites.SpritesSimulator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Case 10: parallel first calls, on two server processes that share a database. */
class TwoServersTest {

  @TempDir Path first;
  @TempDir Path second;

  @Test
  void twentyFirstCallsMakeOneSandbox() throws IOException {
    var database = TestDatabase.fresh();
    var source = "spring.datasource.url=" + database.url();
    try (var vendor = SpritesSimulator.start(0);
        var one = ServerProcess.begin(first, source).ready()) {
      // The second server must be able to read what the first one sealed.
      Files.copy(first.resolve("keyset.json"), second.resolve("keyset.json"));
      try (var two = ServerProcess.begin(second, source).ready()) {
        var admin = one.admin();
        Runtimes.onlySprites(admin, vendor);
        admin.post("/api/agents", "{\"slug\":\"builder\",\"name\":\"Builder\"}").ok();
        var run = admin.post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
        var id = run.get("id").asString();
        var callers =
            List.of(one.with(run.get("token").asString()), two.with(run.get("token").asString()));

        var results = firstCalls(callers);

        assertThat(results).containsExactlyInAnyOrderElementsOf(numbers());
        assertThat(vendor.sprites()).hasSize(1);
        assertThat(vendor.calls(CallKind.CREATE)).hasSize(1);
        assertThat(
                database
                    .jdbc()
                    .sql("select count(*) from workspaces where run_id = cast(:run as uuid)")
                    .param("run", id)
                    .query(Integer.class)
                    .single())
            .isEqualTo(1);

        // Ended at one server, released though the other had used it too.
        callers.get(1).post("/api/agent/finish", "{\"status\":\"completed\"}").ok();
        Await.until(Duration.ofSeconds(30), vendor::sprites, Map::isEmpty);
      }
    }
  }

  private static List<String> firstCalls(List<TestMesh.Client> callers) {
    var threads = new ArrayList<Thread>();
    var results = Collections.synchronizedList(new ArrayList<String>());
    for (int i = 0; i < 20; i++) {
      var caller = callers.get(i % 2);
      var number = String.valueOf(i);
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> results.add(caller.exec("echo", number).get("stdout").asString().strip())));
    }
    threads.forEach(thread -> {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
    return results;
  }

  private static List<String> numbers() {
    return IntStream.range(0, 20).mapToObj(String::valueOf).toList();
  }
}
