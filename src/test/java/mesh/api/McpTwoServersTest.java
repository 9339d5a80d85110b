package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import mesh.Await;
import mesh.ServerProcess;
import mesh.TestMesh;
import mesh.database.TestDatabase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Behind a balancer the requests of one MCP client come to different servers. */
class McpTwoServersTest {

  @TempDir Path first;
  @TempDir Path second;

  @Test
  void aSessionIsKnownToBothAndACallIsCancelledThroughTheOther()
      throws IOException, InterruptedException {
    var source = "spring.datasource.url=" + TestDatabase.fresh().url();
    try (var one = ServerProcess.begin(first, source).ready()) {
      Files.copy(first.resolve("keyset.json"), second.resolve("keyset.json"));
      try (var two = ServerProcess.begin(second, source).ready()) {
        var admin = one.admin();
        admin.post("/api/agents", "{\"slug\":\"builder\",\"name\":\"Builder\"}").ok();
        var run = admin.post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
        var here = McpWire.open(one.url(), run.get("token").asString());
        var there = new McpWire(two.url(), here.token(), here.session());

        var list = McpWire.request(1, "tools/list", TestMesh.JSON.createObjectNode());
        assertThat(there.post(list).statusCode()).isEqualTo(200);
        try (var stream =
            here.stream(
                McpWire.callWithProgress(
                    2, "workspace_exec", McpWire.script("echo begun; sleep 300")))) {
          assertThat(stream.next()).isPresent();
          assertThat(watched(two.with(admin.token()), run.get("id").asString()))
              .isEqualTo("begun\n");

          there.cancel(2);

          assertThat(stream.rest()).isEmpty();
        }
        var steps = "/api/runs/" + run.get("id").asString() + "/steps?limit=200";
        Await.until(
            Duration.ofSeconds(20),
            () -> admin.get(steps).text(),
            text -> text.contains("The caller cancelled the call"));
        one.with(here.token()).post("/api/agent/finish", "{\"status\":\"completed\"}").ok();
      }
    }
  }

  /** What the stream of a run's events tells of its output on a server that does not drive it. */
  private static String watched(TestMesh.Client server, String run)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(server.url() + "/api/runs/" + run + "/events"))
            .header("Authorization", "Bearer " + server.token())
            .timeout(Duration.ofSeconds(30))
            .build();
    try (var http = HttpClient.newHttpClient();
        var lines = http.send(request, HttpResponse.BodyHandlers.ofLines()).body()) {
      var text =
          lines
              .dropWhile(line -> !line.equals("event: output"))
              .skip(1)
              .findFirst()
              .map(line -> TestMesh.JSON.readTree(line.substring("data: ".length())))
              .orElseThrow()
              .get("text")
              .asString();
      http.shutdownNow();
      return text;
    }
  }
}
