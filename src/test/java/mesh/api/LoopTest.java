package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import mesh.Await;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import mesh.run.DrivenRun;
import mesh.run.RunId;
import mesh.run.RunShare;
import mesh.run.RunStatus;
import mesh.run.RunWaits;
import mesh.run.Runs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Runs that Mesh drives: they wait for people, are spoken to, spawn, and stop with a reason. */
class LoopTest {

  private static final Duration SOON = Duration.ofSeconds(60);
  private static final AtomicInteger AGENTS = new AtomicInteger();

  private static TestMesh mesh;
  private static Client admin;

  @BeforeAll
  static void start() {
    mesh = TestMesh.start();
    admin = mesh.admin();
    Runtimes.afterFirstRun(admin);
  }

  @AfterAll
  static void stop() {
    mesh.close();
  }

  @Test
  void aRunThatAsksWaitsAndGoesOnWithTheAnswer() {
    var run =
        run(
            """
            [{"text":"I need to know.","tool":"ask","arguments":{"question":"Which branch?"}},
             {"tool":"workspace_exec","arguments":{"argv":["echo","on"]}}]\
            """);

    var waiting = status(run, "awaiting_input");
    var said = say(run, "{\"text\":\"main\"}").ok();
    var ended = ended(run);

    assertThat(waiting.get("ended_at").isNull()).isTrue();
    assertThat(said.get("run").asString()).isEqualTo(run);
    assertThat(ended.get("status").asString()).isEqualTo("completed");
    var ask = tools(run).getFirst();
    assertThat(ask.get("tool").asString()).isEqualTo("ask");
    assertThat(ask.get("output").get("answer").asString()).isEqualTo("main");
    assertThat(tools(run).getLast().get("output").get("stdout").asString()).isEqualTo("on\n");
  }

  @Test
  void aRunThatWaitsCanBeCancelled() {
    var run = run("[{\"tool\":\"ask\",\"arguments\":{\"question\":\"Well?\"}}]");
    status(run, "awaiting_input");

    admin.post("/api/runs/" + run + "/cancel", "").ok();

    assertThat(ended(run).get("status").asString()).isEqualTo("cancelled");
    assertThat(say(run, "{\"text\":\"too late\"}").code()).isEqualTo("run_ended");
  }

  /** It was asleep while another took over: what it found may not be so any more. */
  @Test
  void whoLostARunEndsItNoMore() {
    var run = run("[{\"tool\":\"ask\",\"arguments\":{\"question\":\"Well?\"}}]");
    status(run, "awaiting_input");
    var waits = mesh.bean(RunWaits.class);
    var id = new RunId(UUID.fromString(run));

    waits.stop(new DrivenRun(id, 0), RunStatus.FAILED, "Stale.");
    assertThat(waits.finish(new DrivenRun(id, 0), RunStatus.COMPLETED, "Stale.", ""))
        .isEqualTo(RunWaits.Finished.OVER);
    assertThat(waits.park(new DrivenRun(id, 0))).isEqualTo(RunWaits.Parked.OVER);
    assertThat(waits.take(new DrivenRun(id, 0))).isZero();

    assertThat(status(run, "awaiting_input").get("ended_at").isNull()).isTrue();
    waits.stop(new DrivenRun(id, 1), RunStatus.FAILED, "Meant.");
    assertThat(ended(run).get("status_reason").asString()).isEqualTo("Meant.");
  }

  /** Between the model's last look and the end of its run there is always a moment. */
  @Test
  void aRunThatWasSpokenToDoesNotEndUnread() {
    var run = run("[{\"tool\":\"workspace_exec\",\"arguments\":{\"script\":\"sleep 60\"}}]");
    Await.until(SOON, () -> tools(run), it -> !it.isEmpty());
    var waits = mesh.bean(RunWaits.class);
    var driven = new DrivenRun(new RunId(UUID.fromString(run)), 1);

    say(run, "{\"text\":\"One more thing.\"}").ok();
    var finished = waits.finish(driven, RunStatus.COMPLETED, "Done.", "");

    assertThat(finished).isEqualTo(RunWaits.Finished.SPOKEN_TO);
    assertThat(status(run, "running").get("ended_at").isNull()).isTrue();
    admin.post("/api/runs/" + run + "/cancel", "").ok();
    ended(run);
  }

  @Test
  void whatIsSaidMeanwhileIsReadBeforeTheRunEnds() {
    var run = run("[{\"tool\":\"workspace_exec\",\"arguments\":{\"script\":\"sleep 3\"}}]");
    Await.until(SOON, () -> tools(run), it -> !it.isEmpty());

    say(run, "{\"text\":\"And be quick.\"}").ok();
    say(run, "{\"text\":\"Please.\"}").ok();
    ended(run);

    assertThat(steps(run))
        .filteredOn(step -> step.get("kind").asString().equals("message"))
        .extracting(step -> step.get("output").get("text").asString())
        .containsExactly("And be quick.", "Please.");
    assertThat(steps(run).getLast().get("kind").asString())
        .as("the model spoke after it")
        .isEqualTo("model");
  }

  @Test
  void aMessageCanTakeTheRunsPlace() {
    var run = run("[{\"tool\":\"workspace_exec\",\"arguments\":{\"script\":\"sleep 60\"}}]");
    Await.until(SOON, () -> tools(run), it -> !it.isEmpty());

    var next =
        say(run, "{\"text\":\"Something else.\",\"supersede\":true}").ok().get("run").asString();

    var ended = ended(run);
    assertThat(ended.get("status").asString()).isEqualTo("superseded");
    assertThat(ended.get("status_reason").asString()).contains(next);
    var following = admin.get("/api/runs/" + next).ok();
    assertThat(following.get("input").asString()).isEqualTo("Something else.");
    assertThat(following.get("continues").asString()).isEqualTo(run);
    admin.post("/api/runs/" + next + "/cancel", "").ok();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"text\":\" \"}", "{\"text\":\"a\\u0000b\"}"})
  void whatIsNoMessageIsRefused(String body) {
    var run = run("[{\"tool\":\"ask\",\"arguments\":{\"question\":\"Well?\"}}]");

    assertThat(say(run, body).status()).isEqualTo(400);

    admin.post("/api/runs/" + run + "/cancel", "").ok();
  }

  @Test
  void anExternalRunIsNotSpokenTo() {
    agent("external", "{}");
    var run =
        admin
            .post("/api/runs", "{\"agent\":\"external\",\"mode\":\"external\"}")
            .ok()
            .get("id")
            .asString();

    assertThat(say(run, "{\"text\":\"Hello?\"}").code()).isEqualTo("run_external");
  }

  /** Each child is of the same agent, so it spawns too, until it may not. */
  @Test
  void aSpawnedRunHasAWorkspaceOfItsOwnAndItsSummaryIsTheResult() {
    var run =
        run(
            """
            [{"tool":"workspace_exec","arguments":{"script":"cat mark; echo $$ > mark"},"may_fail":true},
             {"tool":"spawn","arguments":{"task":"Go deeper.","budget_share":0.5},"may_fail":true}]\
            """);

    var ended = ended(run);

    assertThat(ended.get("status").asString()).isEqualTo("completed");
    var child = tools(run).getLast().get("output");
    assertThat(child.get("status").asString()).isEqualTo("completed");
    assertThat(child.get("summary").asString()).isEqualTo("Through.");
    var deeper = child.get("run").asString();
    assertThat(admin.get("/api/runs/" + deeper).ok().get("parent_run").asString()).isEqualTo(run);
    assertThat(tools(deeper).getFirst().get("output").get("stdout").asString())
        .as("nothing of the parent's files")
        .isEmpty();
    int depth = 0;
    for (var at = deeper; at != null; depth++) {
      var result = tools(at).getLast().get("output");
      at = result.has("run") ? result.get("run").asString() : null;
      if (at == null) {
        assertThat(result.get("code").asString()).isEqualTo("spawn_too_deep");
      }
    }
    assertThat(depth).isEqualTo(3);
  }

  /** The last of them may not spawn and asks, so none ends of its own accord. */
  @Test
  void aSpawnedRunDoesNotOutliveItsParent() {
    var run =
        run(
            """
            [{"tool":"spawn","arguments":{"task":"Wait."},"may_fail":true},
             {"tool":"ask","arguments":{"question":"Well?"}}]\
            """);
    var child = childOf(run);
    status(run, "awaiting_input");

    admin.post("/api/runs/" + run + "/cancel", "").ok();

    var ended = ended(child);
    assertThat(ended.get("status").asString()).isEqualTo("cancelled");
    assertThat(ended.get("status_reason").asString()).contains("spawned this one has ended");
    assertThat(ended(run).get("status").asString()).isEqualTo("cancelled");
  }

  @Test
  void aSpawnedRunMayUseItsPartOfTheBudgetAndGivesTheRestBack() {
    var run =
        run(
            """
            [{"tool":"spawn","arguments":{"task":"A part.","budget_share":0.5},"may_fail":true}]\
            """,
            "\"max_tokens\":1000");

    ended(run);

    var child = childOf(run);
    assertThat(share(child).tokens()).isEqualTo(500);
    assertThat(share(childOf(child)).tokens()).isEqualTo(250);
    assertThat(share(run).tokensGiven()).isZero();
  }

  /** Nobody would go on with its run. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {"ask|{\"question\":\"Well?\"}", "spawn|{\"task\":\"Go.\"}"})
  void onlyARunThatMeshDrivesWaits(String tool, String arguments) {
    var slug = "external-" + AGENTS.incrementAndGet();
    agent(slug, "{}");
    var run =
        admin.post("/api/runs", "{\"agent\":\"%s\",\"mode\":\"external\"}".formatted(slug)).ok();
    var caller = mesh.with(run.get("token").asString());

    assertThat(caller.tool(tool, arguments).code()).isEqualTo("driven_elsewhere");
    assertThat(caller.get("/api/agent/tools").text()).doesNotContain("\"" + tool + "\"");
  }

  @Test
  void aRunStopsAtItsNumberOfCalls() {
    var steps = "{\"tool\":\"workspace_exec\",\"arguments\":{\"argv\":[\"true\"]}}";
    var run =
        run("[" + String.join(",", List.of(steps, steps, steps, steps)) + "]", "\"max_steps\":3");

    var ended = ended(run);

    assertThat(ended.get("status").asString()).isEqualTo("budget_exhausted");
    assertThat(ended.get("status_reason").asString()).contains("3 tool calls");
    assertThat(tools(run)).hasSize(3);
  }

  @Test
  void aRunStopsWhenItsTimeIsOver() {
    var steps = "{\"tool\":\"workspace_exec\",\"arguments\":{\"script\":\"sleep 2\"}}";
    var run = run("[" + String.join(",", List.of(steps, steps, steps)) + "]", "\"max_seconds\":2");

    assertThat(ended(run).get("status").asString()).isEqualTo("budget_exhausted");
    assertThat(ended(run).get("status_reason").asString()).contains("seconds");
  }

  /** Cases 104 and 116. */
  @Test
  void theSameFailingCallIsNotMadeForEver() {
    var failing =
        "{\"tool\":\"workspace_exec\",\"may_fail\":true,\"arguments\":{\"argv\":[\"false\"]}}";
    var run = run("[" + String.join(",", java.util.Collections.nCopies(30, failing)) + "]");

    var ended = ended(run);

    assertThat(ended.get("status").asString()).isEqualTo("failed");
    assertThat(ended.get("status_reason").asString()).contains("failed the same way 10 times");
    assertThat(tools(run)).hasSize(10);
    assertThat(steps(run))
        .filteredOn(step -> step.get("kind").asString().equals("message"))
        .as("the model is told once, in time")
        .hasSize(1);
  }

  /** Case 104. */
  @Test
  void honestPollingGoesOn() {
    var poll = "{\"tool\":\"workspace_exec\",\"arguments\":{\"argv\":[\"date\"]}}";
    var run = run("[" + String.join(",", java.util.Collections.nCopies(12, poll)) + "]");

    assertThat(ended(run).get("status").asString()).isEqualTo("completed");
  }

  /** Case 34: no exec, no sandbox, and the loop goes on. */
  @Test
  void argumentsThatAreNoneAreToldToTheModel() {
    var steps = new java.util.ArrayList<String>();
    for (var arguments :
        List.of(
            "\"{\\\"argv\\\":[\\\"ls\\\"\"",
            "null",
            "[]",
            "\"ls\"",
            "{\"argv\":\"ls\"}",
            "\"" + "x".repeat(50_000) + "\"")) {
      steps.add("{\"tool\":\"workspace_exec\",\"may_fail\":true,\"arguments\":" + arguments + "}");
    }
    steps.add("{\"tool\":\"no_such_tool\",\"may_fail\":true,\"arguments\":{}}");
    var run = run("[" + String.join(",", steps) + "]");

    var ended = ended(run);

    assertThat(ended.get("status").asString()).isEqualTo("completed");
    assertThat(ended.get("workspace").get("status").asString())
        .as("nothing was made")
        .isIn("pending", "released");
    assertThat(tools(run))
        .hasSize(7)
        .allSatisfy(step -> {
          assertThat(step.get("status").asString()).isEqualTo("failed");
          assertThat(step.get("output").get("error").asString()).isNotBlank();
          assertThat(step.toString().length()).isLessThan(20_000);
        });
    assertThat(tools(run).get(4).get("output").get("pointer").asString()).isEqualTo("/argv");
  }

  private static String run(String steps) {
    return run(steps, "\"instructions\":\"\"");
  }

  private static String run(String steps, String more) {
    var slug = "loop-" + AGENTS.incrementAndGet();
    agent(
        slug,
        "{\"kind\":\"scripted\",\"summary\":\"Through.\",\"steps\":%s,%s}".formatted(steps, more));
    return admin
        .post("/api/runs", "{\"agent\":\"%s\",\"input\":\"Go\"}".formatted(slug))
        .ok()
        .get("id")
        .asString();
  }

  private static void agent(String slug, String model) {
    admin
        .post("/api/agents", "{\"slug\":\"%s\",\"name\":\"L\",\"model\":%s}".formatted(slug, model))
        .ok();
  }

  /** The one that was spawned first. */
  private static String childOf(String run) {
    return Await.until(
            SOON,
            () ->
                admin
                    .get("/api/runs?limit=50")
                    .ok()
                    .get("runs")
                    .valueStream()
                    .filter(it -> it.get("parent_run").asString("").equals(run))
                    .toList(),
            it -> !it.isEmpty())
        .getLast()
        .get("id")
        .asString();
  }

  private static RunShare share(String run) {
    return mesh.bean(Runs.class).find(new RunId(UUID.fromString(run))).orElseThrow().share();
  }

  private static TestMesh.Answer say(String run, String body) {
    return admin.post("/api/runs/" + run + "/messages", body);
  }

  private static JsonNode status(String run, String wanted) {
    return Await.until(
        SOON,
        () -> admin.get("/api/runs/" + run).ok(),
        it -> it.get("status").asString().equals(wanted));
  }

  private static JsonNode ended(String run) {
    return Await.until(
        SOON, () -> admin.get("/api/runs/" + run).ok(), it -> !it.get("ended_at").isNull());
  }

  private static List<JsonNode> steps(String run) {
    return admin
        .get("/api/runs/" + run + "/steps?limit=200")
        .ok()
        .get("steps")
        .valueStream()
        .toList();
  }

  private static List<JsonNode> tools(String run) {
    return steps(run).stream().filter(it -> it.get("kind").asString().equals("tool")).toList();
  }
}
