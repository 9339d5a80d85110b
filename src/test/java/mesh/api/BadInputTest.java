package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.stream.Stream;
import mesh.Await;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import mesh.simulator.sprites.SpritesSimulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bad input gets a problem with a stable code, and nothing is executed: the vendor's log proves it.
 */
class BadInputTest {

  private static final String EXEC = "/api/agent/tools/workspace_exec";
  private static final String READ = "/api/agent/tools/workspace_read_file";
  private static final String WRITE = "/api/agent/tools/workspace_write_file";

  private static SpritesSimulator vendor;
  private static TestMesh mesh;

  private Client agent = new Client("", "");
  private String run = "";

  @BeforeAll
  static void start() throws IOException {
    vendor = SpritesSimulator.start(0);
    mesh = TestMesh.start();
    Runtimes.onlySprites(mesh, vendor);
    mesh.admin().post("/api/agents", "{\"slug\":\"builder\",\"name\":\"Builder\"}").ok();
  }

  @AfterAll
  static void stop() {
    mesh.close();
    vendor.close();
  }

  @BeforeEach
  void startRun() {
    var created =
        mesh.admin().post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
    run = created.get("id").asString();
    agent = mesh.with(created.get("token").asString());
  }

  @AfterEach
  void endRun() {
    agent.post("/api/agent/finish", "{\"status\":\"completed\"}");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("badInputs")
  void isAProblemAndNothingIsExecuted(
      String name, String path, String body, int status, String code) {
    var answer = agent.post(path, body);

    assertThat(answer.status()).as(answer.text()).isEqualTo(status);
    assertThat(answer.code()).isEqualTo(code);
    assertThat(answer.json().get("detail").asString()).isNotBlank();
    assertThat(vendor.calls()).as("calls to the vendor").isEmpty();
    assertThat(mesh.admin().get("/api/runs/" + run).ok().get("workspace").get("status").asString())
        .isEqualTo("pending");
  }

  static Stream<Arguments> badInputs() {
    var tooLong = "x".repeat(129 * 1024);
    return Stream.of(
        Arguments.of("unknown tool", "/api/agent/tools/rm_rf", "{}", 404, "tool_unknown"),
        Arguments.of("bad JSON", EXEC, "{\"argv\":[\"true\"", 400, "json_malformed"),
        Arguments.of("not an object", EXEC, "[1]", 400, "arguments_invalid"),
        Arguments.of("wrong type", EXEC, "{\"argv\":\"true\"}", 400, "arguments_invalid"),
        Arguments.of("wrong element", EXEC, "{\"argv\":[1]}", 400, "arguments_invalid"),
        Arguments.of(
            "unknown field", EXEC, "{\"argv\":[\"true\"],\"env\":{}}", 400, "arguments_invalid"),
        Arguments.of(
            "argv and script",
            EXEC,
            "{\"argv\":[\"a\"],\"script\":\"b\"}",
            400,
            "arguments_invalid"),
        Arguments.of("neither", EXEC, "{}", 400, "arguments_invalid"),
        Arguments.of("empty argv", EXEC, "{\"argv\":[]}", 400, "arguments_invalid"),
        Arguments.of("empty program", EXEC, "{\"argv\":[\"\"]}", 400, "arguments_invalid"),
        Arguments.of("NUL in argv", EXEC, "{\"argv\":[\"a\\u0000b\"]}", 400, "arguments_invalid"),
        Arguments.of(
            "half a character", EXEC, "{\"argv\":[\"\\ud83d\"]}", 400, "arguments_invalid"),
        Arguments.of(
            "argv over the limit",
            EXEC,
            "{\"argv\":[\"echo\",\"" + tooLong + "\"]}",
            400,
            "arguments_invalid"),
        Arguments.of(
            "timeout 0",
            EXEC,
            "{\"argv\":[\"true\"],\"timeout_seconds\":0}",
            400,
            "arguments_invalid"),
        Arguments.of(
            "timeout over an hour",
            EXEC,
            "{\"argv\":[\"true\"],\"timeout_seconds\":3601}",
            400,
            "arguments_invalid"),
        Arguments.of(
            "secret nobody has",
            EXEC,
            "{\"argv\":[\"true\"],\"secrets\":[\"KEY\"]}",
            400,
            "secret_unknown"),
        Arguments.of(
            "duplicate key",
            EXEC,
            "{\"argv\":[\"true\"],\"argv\":[\"id\"]}",
            400,
            "json_malformed"),
        Arguments.of("no path", READ, "{}", 400, "arguments_invalid"),
        Arguments.of(
            "negative offset", READ, "{\"path\":\"a\",\"offset\":-1}", 400, "arguments_invalid"),
        Arguments.of(
            "bad mode",
            WRITE,
            "{\"path\":\"a\",\"content\":\"\",\"mode\":\"rwx\"}",
            400,
            "arguments_invalid"),
        Arguments.of(
            "bad base64",
            WRITE,
            "{\"path\":\"a\",\"content\":\"*\",\"encoding\":\"base64\"}",
            400,
            "arguments_invalid"),
        Arguments.of(
            "oversized body",
            EXEC,
            "{\"argv\":[\"" + "x".repeat(3 << 20) + "\"]}",
            413,
            "body_too_large"));
  }

  @Test
  void whatOnlyTheWorkspaceCanTellIsAProblemToo() {
    agent.exec("true");

    assertThat(agent.post(EXEC, "{\"argv\":[\"pwd\"],\"dir\":\"/nope\"}").code())
        .isEqualTo("directory_missing");
    assertThat(agent.post(READ, "{\"path\":\"../../etc/passwd\"}").code())
        .isEqualTo("path_outside");
    assertThat(agent.post(WRITE, "{\"path\":\"/etc/passwd\",\"content\":\"\"}").code())
        .isEqualTo("path_outside");
    agent.post("/api/agent/finish", "{\"status\":\"completed\"}").ok();
    Await.until(
        Duration.ofSeconds(30),
        () -> mesh.admin().get("/api/runs/" + run).ok().get("workspace").get("status").asString(),
        "released"::equals);
    vendor.forgetCalls();
  }

  @Test
  void badTokensOpenNothing() {
    var admin = mesh.admin();
    for (var token : new String[] {"", "mesh_run_nonsense", admin.token(), agent.token() + "0"}) {
      var answer = mesh.with(token).tool("workspace_exec", "{\"argv\":[\"true\"]}");
      assertThat(answer.status()).isIn(401, 429);
      assertThat(answer.code()).isIn("token_invalid", "token_missing", "failures_too_many");
    }
    assertThat(mesh.with(agent.token()).get("/api/runs").status()).isEqualTo(401);
    assertThat(vendor.calls()).isEmpty();
  }

  @Test
  void anUnknownAgentOrModeStartsNoRun() {
    var admin = mesh.admin();

    assertThat(admin.post("/api/runs", "{\"agent\":\"nobody\"}").code()).isEqualTo("agent_unknown");
    assertThat(admin.post("/api/runs", "{}").code()).isEqualTo("agent_required");
    assertThat(admin.post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"magic\"}").code())
        .isEqualTo("mode_invalid");
    assertThat(admin.get("/api/runs/not-a-uuid").status()).isIn(400, 404);
    assertThat(admin.get("/api/runs/00000000-0000-0000-0000-000000000000").code())
        .isEqualTo("run_unknown");
    assertThat(admin.get("/api/runs?limit=0").code()).isEqualTo("limit_invalid");
    assertThat(admin.get("/api/runs?status=odd").code()).isEqualTo("status_unknown");
  }
}
