package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import mesh.Canaries;
import mesh.ServerProcess;
import mesh.TestMesh;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What a whole server writes on its console, in both formats. */
class LogsTest {

  @TempDir private Path folder;

  @Test
  void asJsonEveryLineIsAnObjectWithTheIdsOfItsCall() throws IOException {
    try (var server = ServerProcess.begin(folder, "mesh.log.format=json").ready()) {
      var run = called(server);

      var acquired =
          lines(server).stream()
              .filter(line -> line.path("message").asString("").equals("workspace acquired"))
              .filter(line -> line.path("run").asString("").equals(run))
              .findFirst()
              .orElseThrow();
      assertThat(acquired.path("workspace").asString()).isNotEmpty();
      assertThat(acquired.path("runtime").asString()).isEqualTo("local");
      assertThat(lines(server))
          .allMatch(line -> line.hasNonNull("time") && line.hasNonNull("level"));
      assertThat(Canaries.in(server.output())).isEmpty();
    }
  }

  @Test
  void asTextALineThatDoesNotNameItsRunHasItAllTheSame() throws IOException {
    try (var server =
        ServerProcess.begin(folder, "logging.level.org.springframework.jdbc=debug").ready()) {
      var run = called(server);

      assertThat(server.output().lines())
          .anyMatch(line -> line.contains("JdbcTemplate") && line.contains(" run=" + run));
      // Outside of calls there is nothing of them.
      assertThat(server.output()).doesNotContain("run= ").doesNotContain("workspace= ");
      assertThat(server.output().lines().filter(line -> line.contains("Started MeshApplication")))
          .hasSize(1)
          .noneMatch(line -> line.contains("run="));
    }
  }

  private static String called(ServerProcess server) {
    var admin = server.admin();
    admin.post("/api/agents", "{\"slug\":\"logged\",\"name\":\"L\"}").ok();
    var created = admin.post("/api/runs", "{\"agent\":\"logged\",\"mode\":\"external\"}").ok();
    server.with(created.get("token").asString()).exec("true");
    return created.get("id").asString();
  }

  private static List<JsonNode> lines(ServerProcess server) throws IOException {
    return server
        .output()
        .lines()
        // What is for a person at the console alone: the first start's link and its run.
        .filter(line -> line.startsWith("{"))
        .map(TestMesh.JSON::readTree)
        .toList();
  }
}
