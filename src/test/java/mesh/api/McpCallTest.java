package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A call over MCP while it runs: its progress, and how it is ended. */
class McpCallTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private static final String TICKS = "while true; do echo tick; echo x >> ticks; sleep 0.1; done";

  private static TestMesh mesh;

  private String run = "";
  private Client agent = new Client("", "");
  private McpWire mcp = new McpWire("", "", "");

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
    var created =
        mesh.admin().post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
    run = created.get("id").asString();
    agent = mesh.with(created.get("token").asString());
    mcp = McpWire.open(mesh.url(), agent.token());
    agent.exec("true");
  }

  @AfterEach
  void endRun() {
    agent.post("/api/agent/finish", "{\"status\":\"completed\"}");
  }

  @Test
  void outputComesAsProgressWhileTheCommandRuns() {
    var wait = "echo begun; until [ -e go ]; do sleep 0.02; done; echo ended";
    try (var stream = mcp.stream(exec(1, wait))) {
      assertThat(stream.contentType()).startsWith("text/event-stream");
      var first = stream.next().orElseThrow();
      // It cannot end before this, and so was running when its progress came.
      agent.exec("touch", "go");
      var rest = stream.rest();

      assertThat(first.get("method").asString()).isEqualTo("notifications/progress");
      assertThat(first.get("params").get("progressToken").asString()).isEqualTo("token-1");
      assertThat(first.get("params").get("message").asString()).isEqualTo("begun\n");
      assertThat(rest).hasSize(2);
      assertThat(rest.getFirst().get("params").get("message").asString()).isEqualTo("ended\n");
      assertThat(rest.getFirst().get("params").get("progress").asDouble())
          .isGreaterThan(first.get("params").get("progress").asDouble());
      var result = rest.getLast().get("result");
      assertThat(rest.getLast().get("id").asInt()).isEqualTo(1);
      assertThat(result.get("isError").asBoolean()).isFalse();
      assertThat(result.get("structuredContent").get("stdout").asString())
          .isEqualTo("begun\nended\n");
      assertThat(result.get("structuredContent")).isEqualTo(tools().get(1).get("output"));
    }
  }

  @Test
  void whoAsksForNoProgressGetsTheResultAlone() {
    try (var stream = mcp.stream(McpWire.call(1, "workspace_exec", McpWire.script("seq 5")))) {
      assertThat(stream.rest()).hasSize(1);
    }
  }

  @Test
  void muchOutputIsFewMessagesOfBoundedSize() {
    var much = "for i in 1 2 3 4 5; do seq 1 20000; sleep 0.05; done; echo 😀 last";
    try (var stream = mcp.stream(exec(1, much))) {
      var messages = new ArrayList<>(stream.rest());
      var result = messages.removeLast().get("result").get("structuredContent");

      assertThat(result.get("stdout_bytes").asInt()).isGreaterThan(500_000);
      assertThat(messages).isNotEmpty().hasSizeLessThan(30);
      assertThat(messages)
          .extracting(message -> message.get("params").get("message").asString().length())
          .allMatch(length -> length < 17_000);
      assertThat(messages.getLast().get("params").get("message").asString())
          .endsWith("20000\n😀 last\n");
      assertThat(messages.toString()).contains("characters omitted");
    }
  }

  @Test
  void aClientThatReadsNothingHoldsNoCommandBack() {
    try (var stream = mcp.stream(exec(1, "for i in $(seq 50); do seq 1 20000; sleep 0.05; done"))) {
      // Nothing is read until the command has ended by itself.
      var step = endOfLastStep();
      assertThat(step.get("status").asString()).isEqualTo("finished");
      assertThat(stream.rest().getLast().has("result")).isTrue();
    }
  }

  @Test
  void cancellingEndsTheProcessAndOnlyThatOne() {
    try (var first = mcp.stream(exec(1, "echo $$; sleep 300"));
        var second = mcp.stream(exec(2, TICKS))) {
      assertThat(first.next()).isPresent();
      assertThat(second.next()).isPresent();
      var strangers =
          mesh.admin().post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
      var stranger = McpWire.open(mesh.url(), strangers.get("token").asString());
      // Another run, another session, another request: none of it is this one.
      stranger.cancel(2);
      McpWire.open(mesh.url(), agent.token()).cancel(2);
      mcp.cancel(3);
      assertThat(second.next()).isPresent();

      mcp.cancel(2);

      assertThat(second.rest())
          .allMatch(message -> message.path("method").asString("").endsWith("progress"));
      var steps = tools();
      assertThat(steps.getLast().get("status").asString()).isEqualTo("unknown");
      assertThat(steps.getLast().get("output").get("code").asString()).isEqualTo("cancelled");
      assertThat(steps.getLast().get("output").get("error").asString())
          .startsWith("The caller cancelled the call;");
      assertThat(steps.get(steps.size() - 2).get("status").asString()).isEqualTo("started");
      assertNothingTicks();
    }
  }

  @Test
  void aDroppedConnectionEndsACommandThatPrints() {
    try (var stream = mcp.stream(exec(1, TICKS))) {
      assertThat(stream.next()).isPresent();
    }

    assertThat(endOfLastStep().get("output").get("error").asString())
        .startsWith("The caller hung up, which cancelled the call;");
    assertNothingTicks();
  }

  @Test
  void aDroppedConnectionEndsACommandThatIsSilent() {
    try (var stream =
        mcp.stream(
            McpWire.call(
                1,
                "workspace_exec",
                McpWire.script("while true; do echo x >> ticks; sleep 0.1; done")))) {
      assertThat(stream.contentType()).startsWith("text/event-stream");
      Await.until(
          PATIENCE,
          () -> agent.exec("sh", "-c", "cat ticks | wc -l").get("stdout").asString().strip(),
          ticks -> !ticks.equals("0"));
    }

    Await.until(
        PATIENCE,
        this::tools,
        steps ->
            steps.stream()
                .anyMatch(step ->
                    step.path("output")
                        .path("error")
                        .asString("")
                        .startsWith("The caller hung up")));
    assertNothingTicks();
  }

  @Test
  void aCallThatIsCancelledByItsRunsEndSaysSo() {
    try (var stream = mcp.stream(exec(1, TICKS))) {
      assertThat(stream.next()).isPresent();

      mesh.admin().post("/api/runs/" + run + "/cancel", "").ok();

      var result = stream.rest().getLast().get("result");
      assertThat(result.get("isError").asBoolean()).isTrue();
      assertThat(result.get("structuredContent").get("code").asString()).isEqualTo("cancelled");
    }
  }

  @Test
  void anIdThatIsUnderWayIsNotTakenTwice() {
    try (var stream = mcp.stream(exec(1, TICKS))) {
      assertThat(stream.next()).isPresent();

      var second = mcp.ask(McpWire.call(1, "workspace_exec", McpWire.script("true")));

      assertThat(second.get("error").get("code").asInt()).isEqualTo(-32600);
      var elsewhere = McpWire.open(mesh.url(), agent.token());
      assertThat(
              elsewhere
                  .ask(McpWire.call(1, "workspace_exec", McpWire.script("echo hi")))
                  .get("result")
                  .get("structuredContent")
                  .get("stdout")
                  .asString())
          .isEqualTo("hi\n");
      mcp.cancel(1);
      stream.rest();
    }
    assertThat(mcp.ask(McpWire.call(1, "workspace_exec", McpWire.script("true"))).has("result"))
        .isTrue();
  }

  @Test
  void noProgressShowsASecretHoweverItIsCut() {
    var secret = Canaries.fresh("ghp_");
    mesh.admin().post("/api/agents", "{\"slug\":\"keeper\",\"name\":\"Keeper\"}").ok();
    var body = TestMesh.JSON.createObjectNode().put("token", secret);
    body.putObject("account").put("login", "bot").put("email", "bot@example.com");
    mesh.admin().put("/api/agents/keeper/credentials/github", body.toString()).ok();
    var created =
        mesh.admin().post("/api/runs", "{\"agent\":\"keeper\",\"mode\":\"external\"}").ok();
    var keeper = McpWire.open(mesh.url(), created.get("token").asString());
    var script =
        """
        echo "whole $GH_TOKEN."
        sleep 0.3
        half=$((${#GH_TOKEN} / 2))
        printf 'cut %s' "$(printf %s "$GH_TOKEN" | head -c $half)"
        sleep 0.5
        printf %s "$GH_TOKEN" | tail -c +$((half + 1))
        echo .
        sleep 0.3
        echo "on stderr $GH_TOKEN" >&2
        """;

    var told = new StringBuilder();
    JsonNode result;
    try (var stream = keeper.stream(exec(1, script))) {
      var messages = stream.rest();
      result = messages.removeLast().get("result");
      messages.forEach(message -> told.append(message.get("params").get("message").asString()));
      assertThat(messages).hasSizeGreaterThan(1);
    }

    assertThat(Canaries.in(told + result.toString())).isEmpty();
    assertThat(told.toString())
        .contains("whole [REDACTED].", "cut [REDACTED].", "on stderr [REDACTED]")
        .doesNotContain(secret.substring(0, 12));
    var refused =
        keeper.ask(McpWire.call(2, "workspace_read_file", "{\"path\":\"none-" + secret + "\"}"));
    assertThat(refused.get("result").get("isError").asBoolean()).isTrue();
    assertThat(refused.toString()).doesNotContain(secret);
    mesh.with(keeper.token()).post("/api/agent/finish", "{\"status\":\"completed\"}").ok();
  }

  private static String exec(int id, String script) {
    return McpWire.callWithProgress(id, "workspace_exec", McpWire.script(script));
  }

  private void assertNothingTicks() {
    var before = agent.exec("wc", "-l", "ticks").get("stdout").asString();
    agent.exec("sleep", "0.5");
    assertThat(agent.exec("wc", "-l", "ticks").get("stdout").asString()).isEqualTo(before);
  }

  private JsonNode endOfLastStep() {
    return Await.until(
        PATIENCE, this::lastStep, step -> !step.get("status").asString().equals("started"));
  }

  private JsonNode lastStep() {
    return tools().getLast();
  }

  private List<JsonNode> tools() {
    var steps = new ArrayList<JsonNode>();
    mesh.admin()
        .get("/api/runs/" + run + "/steps?limit=200")
        .ok()
        .get("steps")
        .forEach(step -> {
          if (step.get("kind").asString().equals("tool")) {
            steps.add(step);
          }
        });
    return steps;
  }
}
