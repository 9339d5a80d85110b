package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import mesh.Await;
import mesh.TestMesh;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A command that really runs out of memory, and what its agent is told. */
class OutOfMemoryTest {

  /** Too much for one size, and not for the next. */
  private static final String TAKES_90_MIB =
      "c=$(head -c 1M /dev/zero | tr '\\0' x); n=0; until [ $n = 90 ]; do eval \"v$n=\\$c\";"
          + " n=$((n+1)); done; sleep 1; echo fits";

  private static TestMesh mesh;

  @BeforeAll
  static void start() {
    mesh = TestMesh.start();
    Runtimes.afterFirstRun(mesh);
    mesh.admin()
        .put(
            "/api/settings/agent-runtimes/local",
            "{\"enabled\":true,\"config\":{\"small_memory_mib\":\"64\",\"max_size\":\"standard\"}}")
        .ok();
    mesh.admin().post("/api/agents", "{\"slug\":\"builder\",\"name\":\"Builder\"}").ok();
  }

  @AfterAll
  static void stop() {
    mesh.close();
  }

  /** EXE-14 */
  @Test
  void whatRunsOutOfMemoryIsToldAndHasALargerSandboxNext() {
    var run = mesh.admin().post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
    var id = run.get("id").asString();
    var agent = mesh.with(run.get("token").asString());
    agent.exec("sh", "-c", "echo old > file");
    assertThat(workspace(id).get("size").asString()).isEqualTo("small");
    var before = sandboxes();

    var first = agent.exec("sh", "-c", TAKES_90_MIB);
    var second = agent.exec("sh", "-c", "ls; " + TAKES_90_MIB);

    assertThat(first.get("outcome").asString()).isEqualTo("out_of_memory");
    assertThat(first.get("stdout").asString()).isEmpty();
    assertThat(first.get("notice").asString())
        .contains("ran out of memory at size small", "new, empty one of size standard");
    assertThat(second.get("outcome").asString()).isEqualTo("exited");
    assertThat(second.get("stdout").asString()).as("without the file").isEqualTo("fits\n");
    assertThat(second.get("notice").asString()).contains("new, empty and larger one");
    assertThat(workspace(id).get("size").asString()).isEqualTo("standard");
    Await.until(Duration.ofSeconds(20), OutOfMemoryTest::sandboxes, all -> all.size() == 1);
    assertThat(sandboxes()).isNotEqualTo(before);

    var last = agent.exec("sh", "-c", TAKES_90_MIB.replace("90", "200"));

    assertThat(last.get("outcome").asString()).isEqualTo("out_of_memory");
    assertThat(last.get("notice").asString()).contains("standard, the largest that is allowed");
    assertThat(agent.exec("true").get("exit_code").asInt()).isZero();
    agent.post("/api/agent/finish", "{\"status\":\"completed\",\"summary\":\"\"}").ok();
  }

  private static JsonNode workspace(String run) {
    return mesh.admin().get("/api/runs/" + run).ok().get("workspace");
  }

  private static List<String> sandboxes() {
    try (var paths = Files.list(mesh.folder().resolve("sandboxes"))) {
      return paths
          .map(Path::getFileName)
          .map(Path::toString)
          .filter(it -> !it.equals(".lock"))
          .toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
