package mesh.api;

import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.api.TraceReceiver.Exported;
import mesh.simulator.sprites.SpritesSimulator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One call is one trace, from the request to each call of the vendor; and it tells no secret. */
class TracesTest {

  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CALLER = "00f067aa0ba902b7";

  private TraceReceiver receiver;
  private SpritesSimulator vendor;
  private TestMesh mesh;
  private String run;
  private String runToken;
  private String credential;

  @BeforeEach
  void start() throws IOException {
    receiver = TraceReceiver.start();
    vendor = SpritesSimulator.start(0);
    mesh =
        TestMesh.start(
            "mesh.otlp.endpoint=" + receiver.endpoint(),
            "management.opentelemetry.tracing.export.schedule-delay=100ms");
    Runtimes.onlySprites(mesh, vendor);
    mesh.admin().post("/api/agents", "{\"slug\":\"traced\",\"name\":\"T\"}").ok();
    credential = Canaries.fresh("ghp_");
    mesh.admin()
        .put(
            "/api/agents/traced/credentials/github",
            "{\"token\":\"%s\",\"account\":{\"login\":\"bot\"}}".formatted(credential))
        .ok();
    var created =
        mesh.admin().post("/api/runs", "{\"agent\":\"traced\",\"mode\":\"external\"}").ok();
    run = created.get("id").asString();
    runToken = created.get("token").asString();
  }

  @AfterEach
  void stop() {
    mesh.close();
    vendor.close();
    receiver.close();
  }

  @Test
  void aCallIsPartOfItsCallersTraceDownToTheVendor() throws Exception {
    traced("workspace_exec", "{\"argv\":[\"true\"]}");

    var spans = await("mesh.tool.call");
    var request = only(spans, "http post /api/agent/tools/{name}");
    assertThat(request.parent()).isEqualTo(CALLER);
    var call = only(spans, "mesh.tool.call");
    assertThat(call.parent()).isEqualTo(request.id());
    assertThat(call.attributes())
        .containsEntry("tool", "workspace_exec")
        .containsEntry("run", run)
        .containsEntry("outcome", "finished")
        .containsKey("step");
    var acquire = only(spans, "mesh.workspace.acquire");
    assertThat(acquire.parent()).isEqualTo(call.id());
    assertThat(acquire.attributes())
        .containsEntry("backend", "sprites")
        .containsEntry("run", run)
        .containsEntry("outcome", "created")
        .containsKey("workspace");
    var exec = only(spans, "mesh.workspace.exec");
    assertThat(exec.parent()).isEqualTo(call.id());
    assertThat(exec.attributes())
        .containsEntry("outcome", "exited")
        .containsEntry("workspace", acquire.attributes().get("workspace"));
    assertThat(vendorCallsOf(acquire, spans)).contains("acquire done");
    // The grant is written and then read by the command itself.
    assertThat(vendorCallsOf(exec, spans)).contains("exec exited");
  }

  @Test
  void filesAndTheReleaseAreTracedToo() throws Exception {
    traced("workspace_write_file", "{\"path\":\"a\",\"content\":\"b\"}");
    traced("workspace_read_file", "{\"path\":\"a\"}");
    var spans = await("mesh.workspace.read");
    assertThat(vendorCallsOf(only(spans, "mesh.workspace.write"), spans)).contains("write done");
    assertThat(vendorCallsOf(only(spans, "mesh.workspace.read"), spans)).contains("read done");

    mesh.with(runToken).post("/api/agent/finish", "{\"status\":\"completed\"}").ok();

    var release =
        Await.until(
            Duration.ofSeconds(20),
            () ->
                receiver.spans().stream()
                    .filter(span -> span.name().equals("mesh.workspace.release"))
                    .filter(span -> run.equals(span.attributes().get("run")))
                    .toList(),
            found -> !found.isEmpty());
    assertThat(release.getFirst().attributes())
        .containsEntry("backend", "sprites")
        .containsEntry("outcome", "gone");
    assertThat(vendorCallsOf(release.getFirst(), receiver.spans())).contains("destroy done");
  }

  @Test
  void nothingOfWhatWasRunOrPrintedLeaves() throws Exception {
    // No canary: a step shows what it was called with.
    var argument = "argument-" + UUID.randomUUID();
    var answer =
        traced(
            "workspace_exec",
            "{\"script\":\"echo %s; echo $GITHUB_TOKEN; false\"}".formatted(argument));
    assertThat(answer).contains(argument);
    // What is refused, and what is thrown, quotes what was given.
    traced("workspace_exec", "{\"argv\":[\"%s\"],\"dir\":\"/%s\"}".formatted(argument, argument));
    traced("no_such_" + argument, "{}");
    traced("workspace_exec", "{\"argv\":\"%s\"".formatted(argument));

    await("mesh.tool.call");
    Await.until(
        Duration.ofSeconds(10),
        () -> named(receiver.spans(), "http post /api/agent/tools/{name}").size(),
        number -> number == 4);
    assertThat(receiver.everything()).contains(run).doesNotContain(argument);
    assertThat(Canaries.in(receiver.everything())).isEmpty();
  }

  /** What Mesh drives by itself, later and on whichever instance, belongs to what asked for it. */
  @Test
  void aDrivenRunIsPartOfTheTraceOfItsCreation() throws Exception {
    mesh.admin()
        .post(
            "/api/agents",
            """
            {"slug":"driven","name":"D","model":{"kind":"scripted","steps":[
              {"tool":"workspace_exec","arguments":{"argv":["true"]},"may_fail":true},
              {"tool":"spawn","arguments":{"task":"Deeper."},"may_fail":true}]}}\
            """)
        .ok();

    post("/api/runs", mesh.admin().token(), "{\"agent\":\"driven\",\"input\":\"Go\"}");

    var spans =
        Await.until(
            Duration.ofSeconds(60),
            this::traced,
            found -> named(found, "mesh.workspace.exec").size() == 4);
    var request = only(spans, "http post /api/runs");
    assertThat(request.parent()).isEqualTo(CALLER);
    var turns = named(spans, "mesh.harness.turn");
    var calls = named(spans, "mesh.tool.call");
    assertThat(turns).extracting(Exported::parent).contains(request.id());
    assertThat(turns)
        .as("a spawned run's are of the call that started it")
        .allMatch(turn ->
            turn.parent().equals(request.id())
                || calls.stream()
                    .filter(call -> "spawn".equals(call.attributes().get("tool")))
                    .anyMatch(call -> call.id().equals(turn.parent())));
    assertThat(turns).extracting(turn -> turn.attributes().get("run")).doesNotContainNull();
    assertThat(calls)
        .isNotEmpty()
        .allSatisfy(call -> assertThat(turns).anyMatch(turn -> turn.id().equals(call.parent())));
    assertThat(named(spans, "mesh.harness.reply"))
        .isNotEmpty()
        .allSatisfy(reply -> assertThat(turns).anyMatch(turn -> turn.id().equals(reply.parent())));
    assertThat(named(spans, "mesh.workspace.exec"))
        .allSatisfy(exec -> assertThat(calls).anyMatch(call -> call.id().equals(exec.parent())))
        .allSatisfy(exec -> assertThat(vendorCallsOf(exec, spans)).contains("exec exited"));
  }

  @Test
  void probesAreNotTraced() throws Exception {
    mesh.admin().get("/actuator/health/readiness").ok();
    mesh.admin().get("/actuator/prometheus").status();
    traced("workspace_exec", "{\"argv\":[\"true\"]}");

    await("mesh.tool.call");
    assertThat(receiver.spans())
        .noneMatch(span ->
            span.attributes().getOrDefault("uri", "").startsWith("/actuator")
                || span.name().contains("actuator"));
  }

  private String traced(String tool, String body) throws IOException, InterruptedException {
    return post("/api/agent/tools/" + tool, runToken, body);
  }

  private String post(String path, String token, String body)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(mesh.url() + path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/json")
            .header("traceparent", "00-" + TRACE + "-" + CALLER + "-01")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
  }

  /** The spans of the caller's trace, once one of that name and the request's own are there. */
  private List<Exported> await(String name) {
    return Await.until(
        Duration.ofSeconds(20),
        this::traced,
        spans ->
            !named(spans, name).isEmpty()
                && !named(spans, "http post /api/agent/tools/{name}").isEmpty());
  }

  private List<Exported> traced() {
    return receiver.spans().stream().filter(span -> span.trace().equals(TRACE)).toList();
  }

  private static List<Exported> named(List<Exported> spans, String name) {
    return spans.stream().filter(span -> span.name().equals(name)).toList();
  }

  private static Exported only(List<Exported> spans, String name) {
    assertThat(named(spans, name)).as(name + " in " + spans).hasSize(1);
    return named(spans, name).getFirst();
  }

  private static List<String> vendorCallsOf(Exported parent, List<Exported> spans) {
    Map<String, Exported> all =
        spans.stream().collect(toMap(Exported::id, Function.identity(), (one, _) -> one));
    return all.values().stream()
        .filter(span -> span.name().equals("mesh.execution.call"))
        .filter(span -> span.parent().equals(parent.id()))
        .map(span -> span.attributes().get("call") + " " + span.attributes().get("outcome"))
        .toList();
  }
}
