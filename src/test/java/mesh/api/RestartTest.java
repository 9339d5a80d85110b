package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import mesh.Await;
import mesh.ServerProcess;
import mesh.TestMesh.Client;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A first start on an empty data directory, a kill in the middle of a run, and a second start. */
class RestartTest {

  @TempDir Path folder;

  @Test
  void whatWasCommittedIsThereAndTheRunGoesOn() {
    String run;
    try (var server = ServerProcess.begin(folder).ready()) {
      Await.until(
          Duration.ofMinutes(2), server::output, it -> it.contains("Walkthrough: completed."));
      assertThat(server.output()).contains("/setup?token=").contains("Watch it at http://");
      var admin = server.admin();
      admin
          .post(
              "/api/agents",
              """
              {"slug":"slow","name":"Slow","model":{"kind":"scripted","summary":"Through.","steps":[
                {"tool":"workspace_exec","arguments":{"script":"echo once >> effects"}},
                {"tool":"workspace_exec","arguments":{"script":"echo begun >> effects; sleep 120"},"may_fail":true},
                {"tool":"workspace_exec","arguments":{"argv":["cat","effects"]}}]}}
              """)
          .ok();
      run =
          admin
              .post("/api/runs", "{\"agent\":\"slow\",\"input\":\"Go\"}")
              .ok()
              .get("id")
              .asString();
      Await.until(
          Duration.ofSeconds(60),
          () -> tools(admin, run),
          steps -> steps.size() == 2 && steps.get(1).get("status").asString().equals("started"));
      // A step is committed before its command begins.
      Await.until(Duration.ofSeconds(20), this::effects, it -> it.contains("begun"));

      server.kill();
    }

    try (var server = ServerProcess.begin(folder).ready()) {
      var admin = server.admin();
      var ended =
          Await.until(
              Duration.ofSeconds(90),
              () -> admin.get("/api/runs/" + run).ok(),
              it -> !it.get("ended_at").isNull());

      assertThat(ended.get("status").asString()).isEqualTo("completed");
      var steps = tools(admin, run);
      assertThat(steps).hasSize(3);
      assertThat(steps.get(1).get("status").asString()).isEqualTo("unknown");
      assertThat(steps.get(1).get("output").get("code").asString()).isEqualTo("outcome_unknown");
      assertThat(steps.get(2).get("output").get("stdout").asString())
          .as("nothing was done twice, and the workspace is the same")
          .isEqualTo("once\nbegun\n");
      assertThat(admin.get("/api/agents/walkthrough").ok().get("name").asString())
          .isEqualTo("Walkthrough");
      assertThat(server.output()).doesNotContain("Walkthrough:");
    }
  }

  /** What the run wrote, wherever its sandbox keeps its files. */
  private String effects() {
    try (var files = Files.walk(folder)) {
      var file = files.filter(it -> it.endsWith("effects")).findFirst();
      return file.isPresent() ? Files.readString(file.get()) : "";
    } catch (IOException | UncheckedIOException moving) {
      // The database makes and removes files meanwhile.
      return "";
    }
  }

  private static List<JsonNode> tools(Client admin, String run) {
    var steps = new ArrayList<JsonNode>();
    admin
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
