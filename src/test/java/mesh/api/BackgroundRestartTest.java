package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import mesh.Await;
import mesh.ServerProcess;
import mesh.TestMesh.Client;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A background process outlives the server that started it, and the next one finds it. */
class BackgroundRestartTest {

  @TempDir Path folder;

  @Test
  void aProcessIsFoundAgainAfterAKill() {
    String token;
    String process;
    try (var server = ServerProcess.begin(folder).ready()) {
      var admin = server.admin();
      Runtimes.afterFirstRun(admin);
      admin.post("/api/agents", "{\"slug\":\"builder\",\"name\":\"Builder\"}").ok();
      token =
          admin
              .post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}")
              .ok()
              .get("token")
              .asString();
      process =
          server
              .with(token)
              .tool(
                  "workspace_exec",
                  "{\"script\":\"echo begun; while [ ! -e go ]; do sleep 0.1; done; echo over\",\"background\":true}")
              .ok()
              .get("process")
              .asString();
      server.kill();
    }

    try (var server = ServerProcess.begin(folder).ready()) {
      var agent = server.with(token);
      assertThat(entry(agent).get("state").asString()).isEqualTo("running");

      agent.exec("touch", "go");

      Await.until(
          Duration.ofSeconds(10), () -> entry(agent).get("state").asString(), "exited"::equals);
      assertThat(
              agent
                  .tool("workspace_process_output", "{\"process\":\"%s\"}".formatted(process))
                  .ok()
                  .get("content")
                  .asString())
          .isEqualTo("begun\nover\n");
      agent.post("/api/agent/finish", "{\"status\":\"completed\",\"summary\":\"\"}").ok();
    }
  }

  private static JsonNode entry(Client agent) {
    return agent.tool("workspace_processes", "{}").ok().get("processes").get(0);
  }
}
