package mesh.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import mesh.Await;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * What agents rely on, over HTTP, whatever the runtime: the section "Observable behaviour" of the
 * interfaces' document and the shapes around it. Each runtime extends it.
 */
abstract class ObservableBehaviour {

  private static final int KEPT = 32 * 1024;

  private Client agent = new Client("", "");
  private String run = "";

  abstract TestMesh mesh();

  @BeforeEach
  void startRun() {
    var created =
        mesh().admin().post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
    run = created.get("id").asString();
    agent = mesh().with(created.get("token").asString());
  }

  @AfterEach
  void finishRun() {
    agent.post("/api/agent/finish", "{\"status\":\"completed\",\"summary\":\"\"}");
    Await.until(
        Duration.ofSeconds(30),
        () -> theRun().get("workspace").get("status").asString(),
        "released"::equals);
  }

  @Test
  void echoPrintsAndExitsWithZero() {
    var result = agent.exec("echo", "hi");

    assertThat(result.get("outcome").asString()).isEqualTo("exited");
    assertThat(result.get("exit_code").asInt()).isZero();
    assertThat(result.get("stdout").asString()).isEqualTo("hi\n");
    assertThat(result.get("stderr").asString()).isEmpty();
    assertThat(result.get("stdout_bytes").asInt()).isEqualTo(3);
    assertThat(result.get("signal").isNull()).isTrue();
    assertThat(result.get("truncated").asBoolean()).isFalse();
    assertThat(result.get("artifact").isNull()).isTrue();
    assertThat(result.get("still_running").asInt()).isZero();
    assertThat(result.get("redactions").asInt()).isZero();
    assertThat(result.has("notice")).isTrue();
    assertThat(result.get("duration_ms").isNumber()).isTrue();
  }

  @Test
  void anExitCodeIsANormalResult() {
    assertThat(agent.exec("sh", "-c", "exit 7").get("exit_code").asInt()).isEqualTo(7);
  }

  @Test
  void aSignalIsToldFromAnExit() {
    var result = agent.exec("sh", "-c", "kill -9 $$");

    assertThat(result.get("outcome").asString()).isEqualTo("signalled");
    assertThat(result.get("signal").asInt()).isEqualTo(9);
    assertThat(result.get("exit_code").asInt()).isEqualTo(137);
  }

  @Test
  void aMissingProgramIs127WithAText() {
    var result = agent.exec("nosuchcmd");

    assertThat(result.get("exit_code").asInt()).isEqualTo(127);
    assertThat(result.get("stderr").asString()).contains("nosuchcmd");
  }

  @Test
  void standardInputIsClosedUnlessGiven() {
    assertThat(agent.exec("cat").get("exit_code").asInt()).isZero();

    var fed = agent.tool("workspace_exec", "{\"argv\":[\"cat\"],\"stdin\":\"given\"}").ok();
    assertThat(fed.get("stdout").asString()).isEqualTo("given");
  }

  @Test
  void aBackgroundChildDoesNotHoldTheAnswerBack() {
    agent.exec("true");
    long started = System.nanoTime();

    var result = agent.exec("sh", "-c", "sleep 60 & echo hi");

    assertThat(result.get("stdout").asString()).isEqualTo("hi\n");
    assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(3));
  }

  @Test
  void aTimeoutKeepsTheOutputSoFar() {
    var result =
        agent
            .tool(
                "workspace_exec",
                "{\"script\":\"echo before; sleep 60; echo after\",\"timeout_seconds\":1}")
            .ok();

    assertThat(result.get("outcome").asString()).isEqualTo("timed_out");
    assertThat(result.get("stdout").asString()).isEqualTo("before\n");
    assertThat(result.get("exit_code").isNull()).isTrue();
  }

  @Test
  void bytesAndOrderAreExactUpToTheClamp() {
    assertThat(agent.exec("seq", "0", "4999").get("stdout").asString()).isEqualTo(lines("", 5000));
  }

  @Test
  void longOutputKeepsHeadAndTailAndTheWholeIsAnArtifact() {
    var result = agent.exec("sh", "-c", "seq 0 19999; echo end >&2");

    var whole = lines("", 20_000);
    var artifact = result.get("artifact").asString();
    assertThat(result.get("truncated").asBoolean()).isTrue();
    assertThat(result.get("stdout_bytes").asInt()).isEqualTo(whole.length());
    assertThat(result.get("stdout").asString())
        .isEqualTo(
            whole.substring(0, KEPT)
                + "\n… "
                + (whole.length() - 2 * KEPT)
                + " bytes omitted; whole output in artifact "
                + artifact
                + " …\n"
                + whole.substring(whole.length() - KEPT));
    var admin = mesh().admin();
    var path = "/api/artifacts/" + artifact;
    assertThat(admin.get(path + "/stdout").text()).isEqualTo(whole);
    assertThat(admin.get(path + "/stderr").text()).isEqualTo("end\n");
    assertThat(admin.get(path + "/stdout?offset=100000&max_bytes=10").text())
        .isEqualTo(whole.substring(100_000, Math.min(whole.length(), 100_010)));
    assertThat(admin.get(path).ok().get("complete").asBoolean()).isTrue();
  }

  @Test
  void argumentsAreNotParsedAgain() {
    var result =
        agent.exec(
            "printf", "[%s]", "a b", "", "$HOME", "x'y\"z", "-n", "l1\nl2", "`id`", "\\", "é☕");

    assertThat(result.get("stdout").asString())
        .isEqualTo("[a b][][$HOME][x'y\"z][-n][l1\nl2][`id`][\\][é☕]");
  }

  @Test
  void aNulInOutputBreaksNothing() {
    assertThat(agent.exec("printf", "a\\000b\\n").get("stdout").asString()).isEqualTo("a\0b\n");
    assertThat(steps("tool").getLast().get("output").get("stdout").asString()).isEqualTo("a\0b\n");
  }

  @Test
  void theProjectDirectoryIsTheDefault() {
    var project = agent.exec("pwd").get("stdout").asString().strip();
    agent.exec("mkdir", "sub");

    var inSub = agent.tool("workspace_exec", "{\"argv\":[\"pwd\"],\"dir\":\"sub\"}").ok();

    assertThat(inSub.get("stdout").asString()).isEqualTo(project + "/sub\n");
  }

  @Nested
  class Files {

    @Test
    void aFileWrittenIsSeenByACommandAndReadBack() {
      var written =
          agent
              .tool("workspace_write_file", "{\"path\":\"a/b.txt\",\"content\":\"héllo\\n\"}")
              .ok();

      assertThat(written.get("path").asString()).isEqualTo("a/b.txt");
      assertThat(written.get("size").asInt()).isEqualTo(7);
      assertThat(agent.exec("cat", "a/b.txt").get("stdout").asString()).isEqualTo("héllo\n");
      var read = agent.tool("workspace_read_file", "{\"path\":\"a/b.txt\"}").ok();
      assertThat(read.get("content").asString()).isEqualTo("héllo\n");
      assertThat(read.get("encoding").asString()).isEqualTo("utf-8");
      assertThat(read.get("size").asInt()).isEqualTo(7);
      assertThat(read.get("eof").asBoolean()).isTrue();
      assertThat(read.get("redacted").asBoolean()).isFalse();
    }

    @Test
    void binaryContentSurvives() {
      var bytes = new byte[256];
      for (int i = 0; i < 256; i++) {
        bytes[i] = (byte) i;
      }
      var base64 = Base64.getEncoder().encodeToString(bytes);
      agent
          .tool(
              "workspace_write_file",
              """
              {"path":"bin","content":"%s","encoding":"base64","mode":"0755"}
              """
                  .formatted(base64))
          .ok();

      var read = agent.tool("workspace_read_file", "{\"path\":\"bin\"}").ok();

      assertThat(read.get("encoding").asString()).isEqualTo("base64");
      assertThat(read.get("content").asString()).isEqualTo(base64);
      assertThat(agent.exec("stat", "-c", "%a", "bin").get("stdout").asString()).isEqualTo("755\n");
    }

    @Test
    void aLongFileIsPagedBetweenCharacters() {
      var text = "é☕😀".repeat(200);
      agent.tool("workspace_write_file", "{\"path\":\"long\",\"content\":\"" + text + "\"}").ok();
      var paged = new StringBuilder();
      long offset = 0;
      JsonNode page;
      do {
        page =
            agent
                .tool(
                    "workspace_read_file",
                    "{\"path\":\"long\",\"offset\":" + offset + ",\"max_bytes\":100}")
                .ok();
        assertThat(page.get("encoding").asString()).isEqualTo("utf-8");
        paged.append(page.get("content").asString());
        offset = page.get("next_offset").asLong();
      } while (!page.get("eof").asBoolean());

      assertThat(paged.toString()).isEqualTo(text);
    }

    @Test
    void theMarkerIsNotWrittenBackByAccident() {
      var refused =
          agent.tool("workspace_write_file", "{\"path\":\"x\",\"content\":\"a [REDACTED] b\"}");

      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.code()).isEqualTo("content_redacted");
      agent
          .tool(
              "workspace_write_file",
              "{\"path\":\"x\",\"content\":\"a [REDACTED] b\",\"allow_redacted\":true}")
          .ok();
    }

    @Test
    void whatIsNoFileIsRefusedAtOnce() {
      agent.exec("sh", "-c", "mkfifo pipe; mkdir folder");

      assertThat(read("none").code()).isEqualTo("file_missing");
      assertThat(read("pipe").code()).isEqualTo("file_refused");
      assertThat(read("folder").code()).isEqualTo("file_refused");
      assertThat(
              agent.tool("workspace_write_file", "{\"path\":\"folder\",\"content\":\"\"}").code())
          .isEqualTo("file_refused");
    }

    private TestMesh.Answer read(String path) {
      return agent.tool("workspace_read_file", "{\"path\":\"" + path + "\"}");
    }
  }

  @Nested
  class Streaming {

    @Test
    void outputComesAsEventsAndThenTheResult() {
      var events =
          agent.events(
              "/api/agent/tools/workspace_exec",
              "{\"script\":\"echo one; sleep 0.2; echo two >&2; sleep 0.2; echo three\"}");

      assertThat(events)
          .containsSubsequence(
              "event: stdout",
              "data: {\"text\":\"one\\n\"}",
              "event: stderr",
              "data: {\"text\":\"two\\n\"}",
              "event: stdout",
              "data: {\"text\":\"three\\n\"}",
              "event: result");
      var result = events.get(events.indexOf("event: result") + 1).substring("data: ".length());
      assertThat(TestMesh.JSON.readTree(result).get("stdout").asString()).isEqualTo("one\nthree\n");
    }

    @Test
    void hangingUpEndsTheCommand() {
      agent.exec("true");

      agent.hangUpAfterFirstEvent(
          "/api/agent/tools/workspace_exec",
          "{\"script\":\"while true; do echo tick; echo x >> ticks; sleep 0.1; done\"}");

      var step =
          Await.until(
              Duration.ofSeconds(20),
              () -> steps().getLast(),
              it -> !it.get("status").asString().equals("started"));
      assertThat(step.get("output").get("code").asString()).isEqualTo("cancelled");
      var before = agent.exec("wc", "-l", "ticks").get("stdout").asString();
      agent.exec("sleep", "0.5");
      assertThat(agent.exec("wc", "-l", "ticks").get("stdout").asString()).isEqualTo(before);
    }

    @Test
    void aRefusalIsAnOrdinaryProblem() {
      var events = agent.events("/api/agent/tools/workspace_exec", "{\"argv\":[]}");

      assertThat(String.join("\n", events)).contains("\"code\":\"arguments_invalid\"");
    }

    @Test
    void theRunsOwnEventsTellEveryStep() {
      agent.exec("echo", "hi");
      agent.post("/api/agent/finish", "{\"status\":\"completed\",\"summary\":\"done\"}").ok();

      var events = mesh().admin().events("/api/runs/" + run + "/events", "");

      assertThat(events).contains("event: step", "event: run", "event: end");
      assertThat(events).anyMatch(line -> line.contains("workspace_exec"));
    }
  }

  @Test
  void theFirstCallTellsOnceThatASandboxIsBeingSetUp() {
    agent.exec("true");
    agent.exec("true");

    var notices = steps("notice");
    assertThat(notices).hasSize(1);
    assertThat(notices.getFirst().get("output").get("text").asString())
        .startsWith("Setting up a sandbox on ");
    assertThat(notices.getFirst().get("output").get("without").isEmpty()).isFalse();
  }

  @Test
  void everyCallIsAStepWithItsInputAndOutput() {
    agent.exec("echo", "hi");

    var step = steps("tool").getFirst();
    assertThat(step.get("tool").asString()).isEqualTo("workspace_exec");
    assertThat(step.get("replayability").asString()).isEqualTo("effectful");
    assertThat(step.get("status").asString()).isEqualTo("finished");
    assertThat(step.get("input").get("argv").get(1).asString()).isEqualTo("hi");
    assertThat(step.get("output").get("stdout").asString()).isEqualTo("hi\n");
  }

  @Test
  void afterTheRunEndedEveryCallSaysSo() {
    agent.exec("true");
    agent.post("/api/agent/finish", "{\"status\":\"failed\",\"summary\":\"no luck\"}").ok();

    for (var answer :
        List.of(
            agent.tool("workspace_exec", "{\"argv\":[\"true\"]}"),
            agent.get("/api/agent/tools"),
            agent.post("/api/agent/finish", "{\"status\":\"completed\",\"summary\":\"\"}"))) {
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.code()).isEqualTo("run_ended");
    }
    assertThat(theRun().get("status").asString()).isEqualTo("failed");
    assertThat(theRun().get("summary").asString()).isEqualTo("no luck");
  }

  @Test
  void cancellingARunEndsItsCommandAtOnce() throws InterruptedException {
    agent.exec("true");
    var slow =
        Thread.ofVirtual()
            .start(() -> agent.tool("workspace_exec", "{\"argv\":[\"sleep\",\"60\"]}"));
    Await.until(
        Duration.ofSeconds(10),
        () -> steps().getLast().get("status").asString(),
        "started"::equals);

    mesh().admin().post("/api/runs/" + run + "/cancel", "").ok();

    assertThat(slow.join(Duration.ofSeconds(10))).isTrue();
    assertThat(theRun().get("status").asString()).isEqualTo("cancelled");
    assertThat(steps().getLast().get("status").asString()).isEqualTo("unknown");
  }

  @Test
  void manyAtOnceInOneWorkspaceDoNotMeet() {
    agent.exec("true");

    var results =
        IntStream.range(0, 16)
            .parallel()
            .mapToObj(i -> agent.exec("sh", "-c", "echo out-" + i + "; echo err-" + i + " >&2"))
            .toList();

    for (int i = 0; i < 16; i++) {
      assertThat(results.get(i).get("stdout").asString()).isEqualTo("out-" + i + "\n");
      assertThat(results.get(i).get("stderr").asString()).isEqualTo("err-" + i + "\n");
    }
  }

  @Test
  void anOutputOf64MiBArrivesWhole() {
    var result = agent.exec("sh", "-c", "head -c 67108864 /dev/zero | tr '\\0' x");

    assertThat(result.get("stdout_bytes").asLong()).isEqualTo(64L * 1024 * 1024);
    assertThat(result.get("stdout").asString().getBytes(UTF_8)).hasSizeLessThan(70_000);
    var artifact = mesh().admin().get("/api/artifacts/" + result.get("artifact").asString()).ok();
    assertThat(artifact.get("stdout_bytes").asLong()).isEqualTo(64L * 1024 * 1024);
    assertThat(artifact.get("complete").asBoolean()).isTrue();
  }

  @Test
  void theToolsSayWhatTheyTakeAndWhetherTheyCanBeUsed() {
    var tools = agent.get("/api/agent/tools").ok().get("tools");

    assertThat(tools)
        .extracting(tool -> tool.get("name").asString())
        .contains("workspace_exec", "workspace_read_file", "workspace_write_file");
    for (var tool : tools) {
      assertThat(tool.get("available").asBoolean()).isTrue();
      assertThat(tool.get("unavailable_because").isNull()).isTrue();
      assertThat(tool.get("input_schema").get("type").asString()).isEqualTo("object");
      assertThat(tool.get("needs").isArray()).isTrue();
    }
    agent.exec("true");
  }

  private static String lines(String prefix, int count) {
    var lines = new StringBuilder();
    for (int i = 0; i < count; i++) {
      lines.append(prefix).append(i).append('\n');
    }
    return lines.toString();
  }

  private List<JsonNode> steps() {
    var steps = new ArrayList<JsonNode>();
    mesh()
        .admin()
        .get("/api/runs/" + run + "/steps?limit=200")
        .ok()
        .get("steps")
        .forEach(steps::add);
    return steps;
  }

  private List<JsonNode> steps(String kind) {
    return steps().stream().filter(step -> step.get("kind").asString().equals(kind)).toList();
  }

  private JsonNode theRun() {
    return mesh().admin().get("/api/runs/" + run).ok();
  }
}
