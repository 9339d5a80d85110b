package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A runtime without a shell is a legitimate one: what needs a shell says so before it is tried. */
class NoShellTest {

  private final FakeIsolate isolate = new FakeIsolate();
  private final TestMesh mesh = TestMesh.with(isolate);
  private Client agent = new Client("", "");

  @BeforeEach
  void startRun() {
    var admin = mesh.admin();
    Await.until(
        Duration.ofMinutes(2),
        () -> admin.get("/api/runs").ok().get("runs").get(0).get("ended_at"),
        ended -> !ended.isNull());
    admin.put("/api/settings/agent-runtimes/isolate", "{\"enabled\":true}").ok();
    admin.post("/api/agents", "{\"slug\":\"builder\",\"name\":\"Builder\"}").ok();
    agent =
        mesh.with(
            admin
                .post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}")
                .ok()
                .get("token")
                .asString());
  }

  @AfterEach
  void stop() {
    mesh.close();
  }

  @Test
  void aToolThatNeedsAShellSaysSoAndNothingIsMade() {
    var available = new ArrayList<String>();
    for (var tool : agent.get("/api/agent/tools").ok().get("tools")) {
      if (tool.get("available").asBoolean()) {
        available.add(tool.get("name").asString());
      } else {
        assertThat(tool.get("unavailable_because").asString()).contains("no shell");
      }
    }
    assertThat(available)
        .contains(
            "workspace_edit_file",
            "workspace_read_file",
            "workspace_read_output",
            "workspace_write_file")
        .doesNotContain(
            "workspace_exec",
            "workspace_glob",
            "workspace_grep",
            "workspace_list",
            "workspace_process_output",
            "workspace_process_signal",
            "workspace_processes");

    var refused = agent.tool("workspace_exec", "{\"argv\":[\"true\"]}");

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo("tool_unavailable");
    assertThat(isolate.calls).isEmpty();
  }

  @Test
  void mcpSaysItInTheToolsDescription() {
    var mcp = McpWire.open(mesh.url(), agent.token());

    var tools = mcp.ask(McpWire.request(1, "tools/list", TestMesh.JSON.createObjectNode()));
    var refused = mcp.ask(McpWire.call(2, "workspace_exec", McpWire.script("true")));

    assertThat(description(tools, "workspace_exec"))
        .startsWith("Not available to this run: ")
        .contains("no shell");
    assertThat(description(tools, "workspace_read_file")).doesNotContain("Not available");
    assertThat(refused.get("result").get("structuredContent").get("code").asString())
        .isEqualTo("tool_unavailable");
    assertThat(isolate.calls).isEmpty();
  }

  private static String description(JsonNode tools, String name) {
    return tools
        .get("result")
        .get("tools")
        .valueStream()
        .filter(tool -> tool.get("name").asString().equals(name))
        .findFirst()
        .orElseThrow()
        .get("description")
        .asString();
  }

  @Test
  void whatNeedsNoShellWorks() {
    agent.tool("workspace_write_file", "{\"path\":\"a\",\"content\":\"x\"}").ok();

    assertThat(agent.tool("workspace_read_file", "{\"path\":\"a\"}").ok().get("content").asString())
        .isEqualTo("x");
    assertThat(agent.tool("workspace_exec", "{\"argv\":[\"true\"]}").code())
        .isEqualTo("tool_unavailable");
    assertThat(isolate.calls).containsExactly("acquire");
  }

  @Test
  void noCredentialIsIssuedAndTheRunIsTold() {
    var admin = mesh.admin();
    admin
        .put(
            "/api/agents/builder/credentials/github",
            "{\"token\":\"%s\",\"account\":{\"login\":\"bot\"}}".formatted(Canaries.fresh("ghp_")))
        .ok();
    var run = admin.post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
    var id = run.get("id").asString();
    mesh.with(run.get("token").asString())
        .tool("workspace_write_file", "{\"path\":\"a\",\"content\":\"x\"}")
        .ok();

    var issued = admin.get("/api/runs/%s/grants".formatted(id)).ok().get("issuances").get(0);
    assertThat(issued.get("provider").asString()).isEqualTo("github");
    assertThat(issued.get("available").asBoolean()).isFalse();
    assertThat(admin.get("/api/runs/%s/steps".formatted(id)).text())
        .contains("no credentials can be delivered");
  }
}
