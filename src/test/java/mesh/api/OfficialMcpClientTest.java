package mesh.api;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import mesh.TestMesh;
import mesh.simulator.OfficialClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The official TypeScript client works with Mesh as it is. */
class OfficialMcpClientTest {

  private static final List<String> PACKAGES = List.of("@modelcontextprotocol/sdk@1.32.2");

  @Test
  void passesEveryStep(@TempDir Path temporary) throws Exception {
    var client = OfficialClient.install("the official MCP client", "mcp", temporary, PACKAGES);

    try (var mesh = TestMesh.start()) {
      mesh.admin().post("/api/agents", "{\"slug\":\"builder\",\"name\":\"Builder\"}").ok();
      var run =
          mesh.admin().post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();

      client.passes(9, Map.of("BASE", mesh.url(), "TOKEN", run.get("token").asString()));
    }
  }
}
