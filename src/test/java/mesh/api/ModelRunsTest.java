package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import mesh.inference.Connection.Wire;
import mesh.simulator.model.Fault;
import mesh.simulator.model.ModelReply;
import mesh.simulator.model.ModelReply.Call;
import mesh.simulator.model.ModelReply.Text;
import mesh.simulator.model.ModelSimulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs from end to end with a model behind each protocol: real HTTP, real workspace. */
class ModelRunsTest {

  private static final JsonMapper JSON = new JsonMapper();
  private static final AtomicInteger NAMES = new AtomicInteger();

  private static TestMesh mesh;
  private static Client admin;

  private ModelSimulator service;

  @BeforeAll
  static void startMesh() {
    mesh = TestMesh.start();
    admin = mesh.admin();
    Runtimes.afterFirstRun(admin);
  }

  @AfterAll
  static void stopMesh() {
    mesh.close();
  }

  @BeforeEach
  void start() throws IOException {
    service = ModelSimulator.start(0);
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @ParameterizedTest
  @EnumSource
  void aFailingTestIsFixed(Wire wire) {
    service.script(request ->
        switch (request.rounds()) {
          case 0 ->
              ModelReply.calls(
                  new Text("I look at the repository first."),
                  exec(
                      "c-1",
                      """
                      git init -q . && git config user.email a@example.com && git config user.name A
                      printf 'echo $(($1 - $2))\\n' > add.sh
                      printf '[ "$(sh add.sh 2 2)" = 4 ] && echo passed || { echo failed; exit 1; }\\n' > test.sh
                      git add . && git commit -qm 'A sum' && sh test.sh\
                      """));
          case 1 -> ModelReply.calls(call("c-2", "workspace_read_file", Map.of("path", "add.sh")));
          case 2 ->
              ModelReply.calls(
                  new Text("A minus."),
                  call(
                      "c-3",
                      "workspace_edit_file",
                      Map.of("path", "add.sh", "old_text", "$1 - $2", "new_text", "$1 + $2")),
                  exec("c-4", "sh test.sh && git commit -qam 'Add' && git log --oneline | wc -l"));
          default -> ModelReply.says("The sum was a difference. The test passes now.");
        });
    service.next(
        new Fault.Refused(429, "rate_limit_error", "slow down", Map.of("retry-after", "0")));
    service.next(new Fault.Refused(529, "overloaded_error", "overloaded", Map.of()));
    service.next(new Fault.Cut(120));

    var run = run(wire, "\"context_tokens\":50000,\"reply_tokens\":2000", "Make the test pass.");
    var ended = ended(run);

    assertThat(ended.get("status").asString()).as(ended.toString()).isEqualTo("completed");
    assertThat(ended.get("summary").asString()).contains("The test passes now");
    assertThat(service.broken()).isEmpty();
    var tools = tools(run);
    assertThat(tools)
        .extracting(step -> step.get("tool").asString())
        .containsExactly(
            "workspace_exec", "workspace_read_file", "workspace_edit_file", "workspace_exec");
    assertThat(tools.getFirst().get("output").get("exit_code").asInt()).isEqualTo(1);
    assertThat(tools.getLast().get("output").get("stdout").asString()).startsWith("passed\n");
    assertThat(tools.getLast().get("output").get("stdout").asString().strip()).endsWith("2");
    assertThat(ended.get("usage").get("model_calls").asInt()).isEqualTo(4);
    assertThat(ended.get("usage").get("output_tokens").asLong()).isEqualTo(4 * 7);
    assertThat(ended.get("usage").get("cost").asDouble()).isPositive();
  }

  /** Case 105. */
  @ParameterizedTest
  @EnumSource
  void sixtyLongResultsInASmallWindow(Wire wire) {
    var rounds = new AtomicInteger();
    service.script(_ -> {
      int round = rounds.incrementAndGet();
      return round > 60
          ? ModelReply.says("Enough.")
          : ModelReply.calls(
              exec("c-" + round, "echo " + round + "; head -c 100000 /dev/zero | tr '\\\\0' x"));
    });

    var run = run(wire, "\"context_tokens\":30000,\"reply_tokens\":1000", "Print much.");
    var ended = ended(run);

    assertThat(ended.get("status").asString()).as(ended.toString()).isEqualTo("completed");
    assertThat(tools(run)).hasSize(60);
    assertThat(service.requests()).hasSize(61);
    assertThat(service.broken()).isEmpty();
    assertThat(service.requests())
        .allSatisfy(request -> {
          assertThat(request.body().toString()).contains("Print much.");
          assertThat(request.body().toString().length()).isLessThan(30_000 * 4);
        });
  }

  @ParameterizedTest
  @EnumSource
  void aKeyThatIsNotTakenEndsTheRunWithWhatToDo(Wire wire) {
    service.script(_ -> ModelReply.says("never"));
    service.next(new Fault.Refused(401, "authentication_error", "invalid x-api-key", Map.of()));

    var ended = ended(run(wire, "\"reply_tokens\":1000", "Hello."));

    assertThat(ended.get("status").asString()).isEqualTo("failed");
    assertThat(ended.get("status_reason").asString()).contains("main");
  }

  @ParameterizedTest
  @EnumSource
  void aRunStopsAtItsNumberOfTokens(Wire wire) {
    service.script(
        _ -> ModelReply.calls(exec("c-1", "date")).took(new ModelReply.Tokens(900, 0, 0, 200)));

    var ended = ended(run(wire, "\"reply_tokens\":1000,\"max_tokens\":1000", "Go on for ever."));

    assertThat(ended.get("status").asString()).isEqualTo("budget_exhausted");
    assertThat(ended.get("status_reason").asString()).contains("tokens");
    assertThat(service.requests()).hasSize(1);
  }

  @Test
  void aRunThatContinuesOthersKnowsWhatTheyDid() {
    var conversation = UUID.randomUUID();
    service.script(_ -> ModelReply.says("It is called Ada."));
    var first = run(Wire.ANTHROPIC, "\"reply_tokens\":1000", "Name the ship.");
    ended(first);
    service.script(_ -> ModelReply.says("Painted."));
    var slug = admin.get("/api/runs/" + first).ok().get("agent").asString();

    ended(
        started(
            "{\"agent\":\"%s\",\"input\":\"Paint it.\",\"continues\":\"%s\"}"
                .formatted(slug, first)));
    for (var task : List.of("Sail it.", "Sink it.")) {
      ended(
          started(
              "{\"agent\":\"%s\",\"input\":\"%s\",\"conversation\":\"%s\"}"
                  .formatted(slug, task, conversation)));
    }

    var asked =
        service.requests().stream().map(it -> it.body().get("messages").toString()).toList();
    assertThat(asked.get(1)).contains("Name the ship.", "It is called Ada.", "Paint it.");
    assertThat(asked.get(2)).contains("Sail it.").doesNotContain("Name the ship.");
    assertThat(asked.get(3)).contains("Sail it.", "Painted.", "Sink it.");
    assertThat(service.broken()).isEmpty();
  }

  private static String started(String body) {
    return admin.post("/api/runs", body).ok().get("id").asString();
  }

  private static Call exec(String id, String script) {
    return call(id, "workspace_exec", Map.of("script", script));
  }

  private static Call call(String id, String tool, Map<String, String> arguments) {
    return new Call(id, tool, JSON.writeValueAsString(arguments));
  }

  private String run(Wire wire, String terms, String task) {
    var name = "main-" + NAMES.incrementAndGet();
    var address = wire == Wire.ANTHROPIC ? service.anthropic() : service.openAi();
    admin
        .put(
            "/api/settings/models/" + name,
            """
            {"wire":"%s","base_url":"%s","key":"%s","allow_private":true,
             "prices":[{"model":"m-1","input":3,"cached_input":0.3,"output":15}]}
            """
                .formatted(
                    wire.name().toLowerCase(java.util.Locale.ROOT), address, Canaries.fresh("sk-")))
        .ok();
    admin
        .post(
            "/api/agents",
            "{\"slug\":\"%1$s\",\"name\":\"M\",\"model\":{\"connection\":\"%1$s\",\"model\":\"m-1\",\"instructions\":\"Be careful.\",%2$s}}"
                .formatted(name, terms))
        .ok();
    return admin
        .post("/api/runs", "{\"agent\":\"%s\",\"input\":\"%s\"}".formatted(name, task))
        .ok()
        .get("id")
        .asString();
  }

  private static JsonNode ended(String run) {
    return Await.until(
        Duration.ofMinutes(2),
        () -> admin.get("/api/runs/" + run).ok(),
        it -> !it.get("ended_at").isNull());
  }

  private static List<JsonNode> tools(String run) {
    return admin
        .get("/api/runs/" + run + "/steps?limit=200")
        .ok()
        .get("steps")
        .valueStream()
        .filter(step -> step.get("kind").asString().equals("tool"))
        .toList();
  }
}
