package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Who may speak MCP with Mesh, and what it says to what it should not have been sent. */
class McpTest {

  private static TestMesh mesh;

  private Client agent = new Client("", "");
  private McpWire mcp = new McpWire("", "", "");
  private final List<Client> agents = new ArrayList<>();

  @BeforeAll
  static void start() {
    mesh = TestMesh.start();
    mesh.admin().post("/api/agents", "{\"slug\":\"builder\",\"name\":\"Builder\"}").ok();
  }

  @AfterAll
  static void stop() {
    mesh.close();
  }

  @BeforeEach
  void startRun() {
    agent = newRun();
    mcp = McpWire.open(mesh.url(), agent.token());
  }

  @AfterEach
  void endRuns() {
    agents.forEach(one -> one.post("/api/agent/finish", "{\"status\":\"completed\"}"));
  }

  private Client newRun() {
    var run = mesh.admin().post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
    var client = mesh.with(run.get("token").asString());
    agents.add(client);
    return client;
  }

  // who

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "DELETE"})
  void withoutTheTokenOfALivingRunNothingOpens(String method) {
    var ping = McpWire.request(1, "ping", TestMesh.JSON.createObjectNode());
    for (var token : List.of("", "mesh_run_nonsense", mesh.admin().token())) {
      var answer = new McpWire(mesh.url(), token, "").send(method, ping);

      assertThat(answer.statusCode()).isIn(401, 429);
      if (answer.statusCode() == 401) {
        assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
        assertThat(code(answer.body())).isIn("token_invalid", "token_missing");
      }
    }
    agent.post("/api/agent/finish", "{\"status\":\"completed\"}").ok();

    var answer = mcp.send(method, ping);

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(code(answer.body())).isEqualTo("run_ended");
  }

  @Test
  void aSessionIsItsRunsOwn() {
    var list = McpWire.request(1, "tools/list", TestMesh.JSON.createObjectNode());
    var other = McpWire.open(mesh.url(), newRun().token());

    assertThat(other.session()).isNotEqualTo(mcp.session());
    assertThat(mcp.post(list).statusCode()).isEqualTo(200);
    for (var foreign :
        List.of(other.session(), other.session() + "0", "nonsense", "x".repeat(99))) {
      var answer = mcp.in(foreign).post(list);
      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(code(answer.body())).isEqualTo("mcp_session_unknown");
    }
    // Clients that know no sessions are served as well.
    assertThat(mcp.in("").post(list).statusCode()).isEqualTo(200);
  }

  @Test
  void anotherSitesPageIsRefusedWhateverItsToken() {
    var ping = McpWire.request(1, "ping", TestMesh.JSON.createObjectNode());

    var foreign = mcp.post(ping, "Origin", "https://evil.example");
    assertThat(foreign.statusCode()).isEqualTo(403);
    assertThat(code(foreign.body())).isEqualTo("origin_foreign");
    assertThat(mcp.send("GET", "", "Origin", "https://evil.example").statusCode()).isEqualTo(403);
    assertThat(mcp.post(ping, "Origin", mesh.url()).statusCode()).isEqualTo(200);
    // The rest of the agents' API is no business of the protocol's.
    assertThat(mcp.post(ping).statusCode()).isEqualTo(200);
  }

  // what

  @Test
  void theToolsAreThoseOfTheAgentsApi() {
    var plain = agent.get("/api/agent/tools").ok().get("tools");

    var listed =
        mcp.ask(McpWire.request(1, "tools/list", TestMesh.JSON.createObjectNode()))
            .get("result")
            .get("tools");

    assertThat(listed).hasSameSizeAs(plain);
    for (int i = 0; i < plain.size(); i++) {
      assertThat(listed.get(i).get("name")).isEqualTo(plain.get(i).get("name"));
      assertThat(listed.get(i).get("description")).isEqualTo(plain.get(i).get("description"));
      assertThat(listed.get(i).get("inputSchema")).isEqualTo(plain.get(i).get("input_schema"));
    }
    assertThat(hints(listed, "workspace_exec")).containsExactly(false, true, false);
    assertThat(hints(listed, "workspace_read_file")).containsExactly(true, false, true);
    assertThat(hints(listed, "workspace_write_file")).containsExactly(false, true, true);
  }

  private static List<Boolean> hints(JsonNode tools, String name) {
    for (var tool : tools) {
      if (tool.get("name").asString().equals(name)) {
        var hints = tool.get("annotations");
        return List.of(
            hints.get("readOnlyHint").asBoolean(),
            hints.get("destructiveHint").asBoolean(),
            hints.get("idempotentHint").asBoolean());
      }
    }
    throw new AssertionError("no tool " + name);
  }

  @Test
  void aRunIsWhatTheTokenSaysWhateverIsArgued() {
    var refused = mcp.ask(McpWire.call(1, "workspace_exec", "{\"argv\":[\"true\"],\"run\":\"x\"}"));

    assertThat(refused.get("result").get("structuredContent").get("code").asString())
        .isEqualTo("arguments_invalid");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badArguments")
  void badArgumentsAreAResultThatSaysWhatToMend(String name, String arguments, String pointer) {
    var result = mcp.ask(McpWire.call(1, "workspace_exec", arguments)).get("result");

    var content = result.get("structuredContent");
    assertThat(result.get("isError").asBoolean()).isTrue();
    assertThat(content.get("code").asString()).isEqualTo("arguments_invalid");
    assertThat(content.get("pointer").asString()).isEqualTo(pointer);
    assertThat(content.get("detail").asString()).isNotBlank();
    assertThat(TestMesh.JSON.readTree(result.get("content").get(0).get("text").asString()))
        .isEqualTo(content);
    assertThat(agent.get("/api/agent/tools").status()).isEqualTo(200);
  }

  static Stream<Arguments> badArguments() {
    return Stream.of(
        Arguments.of("none", "{}", ""),
        Arguments.of("no object", "[\"true\"]", ""),
        Arguments.of("wrong type", "{\"argv\":\"true\"}", "/argv"),
        Arguments.of("nothing to run", "{\"argv\":[]}", "/argv"),
        Arguments.of("a NUL", "{\"argv\":[\"a\\u0000b\"]}", "/argv"),
        Arguments.of("a huge one", "{\"argv\":[\"" + "x".repeat(3 << 20) + "\"]}", "/argv"),
        Arguments.of(
            "too much input",
            "{\"argv\":[\"cat\"],\"stdin\":\"" + "x".repeat((1 << 20) + 1) + "\"}",
            "/stdin"));
  }

  @Test
  void aFileOfTheGreatestSizeIsWrittenAndWhatIsLargerIsNotRead() {
    var content = "x".repeat(16 << 20);
    var arguments = TestMesh.JSON.createObjectNode().put("path", "large").put("content", content);

    var written = mcp.ask(McpWire.call(1, "workspace_write_file", arguments.toString()));
    var refused = mcp.post("{\"jsonrpc\":\"" + "x".repeat(25 << 20) + "\"}");

    assertThat(written.get("result").get("structuredContent").get("size").asInt())
        .isEqualTo(16 << 20);
    assertThat(refused.statusCode()).isEqualTo(413);
    assertThat(code(refused.body())).isEqualTo("body_too_large");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badRequests")
  void aRequestThatMcpDoesNotHaveIsAnErrorOfTheProtocol(String name, String body, int code) {
    var answer = mcp.ask(body);

    assertThat(answer.get("error").get("code").asInt()).isEqualTo(code);
    assertThat(answer.get("error").get("message").asString()).isNotBlank().doesNotContain("java");
    assertThat(answer.get("id").asInt()).isEqualTo(7);
    assertThat(answer.has("result")).isFalse();
  }

  static Stream<Arguments> badRequests() {
    var none = TestMesh.JSON.createObjectNode();
    return Stream.of(
        Arguments.of("unknown method", McpWire.request(7, "resources/list", none), -32601),
        Arguments.of("unknown tool", McpWire.call(7, "rm_rf", "{}"), -32602),
        Arguments.of("no tool", McpWire.request(7, "tools/call", none), -32602),
        Arguments.of(
            "no parameters", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"tools/call\"}", -32602),
        Arguments.of(
            "odd parameters",
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":[1]}",
            -32602));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badMessages")
  void whatIsNoMessageIsAProblem(String name, String body, int status, String code) {
    var answer = mcp.post(body);

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(code(answer.body())).isEqualTo(code);
  }

  static Stream<Arguments> badMessages() {
    var ping = "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"ping\"}";
    return Stream.of(
        Arguments.of("no JSON", "{", 400, "json_malformed"),
        Arguments.of(
            "a key twice",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"id\":2,\"method\":\"ping\"}",
            400,
            "json_malformed"),
        Arguments.of("a batch", "[" + ping.formatted(1) + "]", 400, "mcp_message_invalid"),
        Arguments.of("no version", "{\"id\":1,\"method\":\"ping\"}", 400, "mcp_message_invalid"),
        Arguments.of("no method", "{\"jsonrpc\":\"2.0\",\"id\":1}", 400, "mcp_message_invalid"),
        Arguments.of("no id", ping.formatted("null"), 400, "mcp_message_invalid"),
        Arguments.of("half an id", ping.formatted("1.5"), 400, "mcp_message_invalid"),
        Arguments.of("an object for an id", ping.formatted("{}"), 400, "mcp_message_invalid"));
  }

  @Test
  void theWayItIsSentMustBeTheProtocols() {
    var ping = McpWire.request(1, "ping", TestMesh.JSON.createObjectNode());

    assertThat(mcp.send("GET", "").statusCode()).isEqualTo(405);
    assertThat(mcp.send("DELETE", "").statusCode()).isEqualTo(405);
    assertThat(mcp.post(ping, "MCP-Protocol-Version", "2025-06-18").statusCode()).isEqualTo(200);
    assertThat(code(mcp.post(ping, "MCP-Protocol-Version", "1999-01-01").body()))
        .isEqualTo("mcp_version_unknown");
    assertThat(
            mcp.post("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}").statusCode())
        .isEqualTo(202);
    // What a client may say to what it was not asked.
    assertThat(mcp.post("{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}").statusCode())
        .isEqualTo(202);
  }

  @Test
  void theVersionIsAgreedOn() {
    for (var version : List.of("2025-03-26", "2025-06-18", "2025-11-25")) {
      assertThat(agreed(version)).isEqualTo(version);
    }
    assertThat(agreed("2099-01-01")).isEqualTo("2025-11-25");
  }

  private String agreed(String version) {
    return mcp.ask(McpWire.request(1, "initialize", McpWire.initialize(version)))
        .get("result")
        .get("protocolVersion")
        .asString();
  }

  private static String code(String problem) {
    return TestMesh.JSON.readTree(problem).path("code").asString("");
  }
}
