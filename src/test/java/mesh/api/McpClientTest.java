package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import mesh.TestMesh;
import org.junit.jupiter.api.Test;

/** The official Java client works with Mesh as it is. */
class McpClientTest {

  private final List<ProgressNotification> progress = new CopyOnWriteArrayList<>();

  @Test
  void listsCallsAndReads() {
    try (var mesh = TestMesh.start()) {
      mesh.admin().post("/api/agents", "{\"slug\":\"builder\",\"name\":\"Builder\"}").ok();
      var run =
          mesh.admin().post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
      try (var client = client(mesh.url(), run.get("token").asString())) {
        var server = client.initialize();
        assertThat(server.serverInfo().name()).isEqualTo("mesh");
        assertThat(server.serverInfo().version()).isNotBlank();
        assertThat(server.instructions()).contains("workspace");
        assertThat(client.ping()).isNotNull();
        assertThat(client.listTools().tools())
            .extracting(Tool::name)
            .contains("workspace_exec", "workspace_read_file", "workspace_write_file");

        calls(client);
        writesAndReads(client);
        isRefused(client);
      }
    }
  }

  private void calls(McpSyncClient client) {
    var result =
        client.callTool(
            CallToolRequest.builder("workspace_exec")
                .arguments(Map.of("script", "echo one; sleep 3; echo two"))
                .progressToken("p")
                .build());

    assertThat(result.isError()).isFalse();
    assertThat(result.structuredContent())
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
        .containsEntry("stdout", "one\ntwo\n")
        .containsEntry("exit_code", 0);
    assertThat(progress)
        .extracting(ProgressNotification::message)
        .containsExactly("one\n", "two\n");
  }

  private static void writesAndReads(McpSyncClient client) {
    client.callTool(
        CallToolRequest.builder("workspace_write_file")
            .arguments(Map.of("path", "a.txt", "content", "héllo"))
            .build());
    var read =
        client.callTool(
            CallToolRequest.builder("workspace_read_file")
                .arguments(Map.of("path", "a.txt"))
                .build());

    assertThat(read.content().getFirst())
        .isInstanceOfSatisfying(
            TextContent.class,
            text ->
                assertThat(TestMesh.JSON.readTree(text.text()).get("content").asString())
                    .isEqualTo("héllo"));
  }

  private static void isRefused(McpSyncClient client) {
    var refused =
        client.callTool(
            CallToolRequest.builder("workspace_exec")
                .arguments(Map.of("argv", List.of("pwd"), "dir", "/nope"))
                .build());

    assertThat(refused.isError()).isTrue();
    assertThat(refused.structuredContent())
        .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.MAP)
        .containsEntry("code", "directory_missing")
        .containsEntry("pointer", "/dir");
    assertThatThrownBy(
            () -> client.callTool(CallToolRequest.builder("rm_rf").arguments(Map.of()).build()))
        .isInstanceOf(McpError.class)
        .hasMessageContaining("workspace_exec");
  }

  private McpSyncClient client(String url, String token) {
    return McpClient.sync(
            HttpClientStreamableHttpTransport.builder(url)
                .endpoint("/mcp")
                .requestBuilder(HttpRequest.newBuilder().header("Authorization", "Bearer " + token))
                .build())
        .requestTimeout(Duration.ofMinutes(1))
        .progressConsumer(progress::add)
        .build();
  }
}
