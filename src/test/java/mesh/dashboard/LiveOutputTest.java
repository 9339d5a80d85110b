package mesh.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.database.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.databind.JsonNode;

/** What a command prints is seen while it runs, on the page and in the stream of events. */
@ExtendWith(OutputCaptureExtension.class)
class LiveOutputTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  /** What Mesh drives goes on until another call says so. */
  private static final String STEPS =
      """
      [{"tool":"workspace_exec","arguments":{"script":
        "echo first; echo \\"token $GITHUB_TOKEN\\"; i=0; until test -e go || test $i = 600; do sleep 0.1; i=$((i+1)); done; echo last"}}]\
      """;

  private static TestMesh mesh;
  private static Person ada;

  @BeforeAll
  static void start(CapturedOutput console) {
    mesh = TestMesh.on(TestDatabase.fresh());
    ada = Person.admin(mesh, console);
    mesh.admin()
        .post(
            "/api/agents",
            "{\"slug\":\"printer\",\"name\":\"P\",\"model\":{\"kind\":\"scripted\",\"steps\":%s}}"
                .formatted(STEPS))
        .ok();
    mesh.admin()
        .put(
            "/api/agents/printer/credentials/github",
            "{\"token\":\"%s\",\"account\":{\"login\":\"bot\"}}".formatted(Canaries.fresh("ghp_")))
        .ok();
  }

  @AfterAll
  static void stop() {
    mesh.close();
  }

  @Test
  void aRunningCommandsOutputIsSeen() throws Exception {
    var run =
        mesh.admin()
            .post("/api/runs", "{\"agent\":\"printer\",\"input\":\"Go\"}")
            .ok()
            .get("id")
            .asString();
    List<String> events = new CopyOnWriteArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      threads.submit(() -> listen(run, events));

      var page =
          Await.until(
              SOON, () -> ada.page("/runs/" + run), text -> text.contains("token [REDACTED]"));
      assertThat(page).contains("so far").contains("<pre>first\ntoken [REDACTED]\n</pre>");
      Await.until(SOON, () -> printed(events), text -> text.contains("token [REDACTED]"));
      assertThat(printed(events)).startsWith("first\n");
      assertThat(call(run).get("status").asString())
          .as("all this while it runs")
          .isEqualTo("started");
      assertThat(call(run).get("output").isNull()).isTrue();

      mesh.admin().post("/api/runs/" + run + "/cancel", "").ok();
    }
    assertThat(Canaries.in(String.join("\n", events))).isEmpty();
    assertThat(events).contains("event: end");
    assertThat(ada.page("/runs/" + run)).doesNotContain("so far");
  }

  private static Void listen(String run, List<String> events)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(mesh.url() + "/api/runs/" + run + "/events"))
            .header("Authorization", "Bearer " + mesh.admin().token())
            .build();
    try (var http = HttpClient.newHttpClient()) {
      http.send(request, HttpResponse.BodyHandlers.ofLines()).body().forEach(events::add);
    }
    return null;
  }

  /** The pieces that came, put together by their places. */
  private static String printed(List<String> events) {
    var text = new StringBuilder();
    for (int i = 1; i < events.size(); i++) {
      if (events.get(i - 1).equals("event: output")) {
        var piece = TestMesh.JSON.readTree(events.get(i).substring("data: ".length()));
        assertThat(piece.get("at").asLong())
            .as("nothing missing, nothing twice")
            .isEqualTo(text.length());
        text.append(piece.get("text").asString());
      }
    }
    return text.toString();
  }

  private static JsonNode call(String run) {
    return mesh.admin()
        .get("/api/runs/" + run + "/steps")
        .ok()
        .get("steps")
        .valueStream()
        .filter(step -> step.get("kind").asString().equals("tool"))
        .findFirst()
        .orElseThrow();
  }
}
