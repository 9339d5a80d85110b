package mesh.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import mesh.TestMesh;
import mesh.activity.ActorId;
import mesh.dashboard.Person.Answer;
import mesh.run.Run;
import mesh.run.RunStatus;
import mesh.run.Runs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What there is, what it could see and who did it: workspaces, grants and activity. */
@ExtendWith(OutputCaptureExtension.class)
class LedgerPagesTest {

  private static TestMesh mesh;
  private static Staging staging;
  private static Run outliving;
  private static Person ada;
  private static Person vera;

  @BeforeAll
  static void start(CapturedOutput console) {
    mesh = TestMesh.start();
    staging = new Staging(mesh);
    // Before the first page: what it counts is kept for a while.
    outliving = staging.stillAlive("walkthrough", "503 <b>try later</b>");
    ada = Person.admin(mesh, console);
    vera = Person.with(mesh, "vera", "viewer");
    ada.done("/agents", Map.of("slug", "builder"));
    ada.done("/agents/builder/credentials/github", Map.of("token", "ghp_token", "login", "octo"));
  }

  @AfterAll
  static void stop() {
    mesh.close();
  }

  @Test
  void aWorkspaceIsReleasedOnceItWasAsked() {
    Run run = staging.runWithSandbox("builder", "Hold a sandbox");
    String id = mesh.admin().get("/api/runs/" + run.id()).ok().at("/workspace/id").asString();

    assertThat(ada.page("/workspaces"))
        .contains(
            "With a sandbox now", "Ready", "Local", "network open", "href=\"/runs/" + run.id())
        .contains("Release 1 workspace", "action=\"/workspaces/" + id + "/release\"");
    assertThat(vera.page("/workspaces")).contains("Ready").doesNotContain("Release…");
    assertThat(vera.post("/workspaces/" + id + "/release", Map.of()).status()).isEqualTo(403);

    assertThat(ada.done("/workspaces/" + id + "/release", Map.of()))
        .contains("is out of its run's reach.", "An operator released it.");
    assertThat(ada.done("/workspaces/" + id + "/release", Map.of()))
        .contains("There is nothing to release");
    assertThat(ada.page("/workspaces?status=ready")).contains("No workspace is in this state");
    assertThat(ada.get("/workspaces/" + run.id() + "/release").status()).isEqualTo(405);
  }

  @Test
  void whatOutlivesItsRevocationIsToldOnTop() {
    assertThat(ada.page("/workspaces"))
        .contains("Still alive at the vendor: revoke the token at its provider")
        .contains("7 min ago", "4 attempts", "503 &lt;b&gt;try later&lt;/b&gt;")
        .contains("href=\"https://github.com/settings/tokens\"", outliving.id().toString());
    assertThat(vera.page("/runs"))
        .contains("1 sandbox is still alive at the vendor after revocation.")
        .contains("href=\"/workspaces#alive\"");
  }

  @Test
  void aRunWithoutASandboxSawNothing() {
    Run run = staging.run("builder", "Never reach for anything");

    assertThat(vera.page("/runs/" + run.id())).contains("href=\"/runs/" + run.id() + "/grants\"");
    assertThat(vera.page("/runs/" + run.id() + "/grants"))
        .contains("This run has no sandbox yet", "The agent itself ran outside of Mesh.")
        .doesNotContain("Vault entries");
    mesh.bean(Runs.class).end(run.id(), RunStatus.CANCELLED, "Not needed.", null, ActorId.SYSTEM);
    assertThat(vera.page("/runs/" + run.id() + "/grants")).contains("This run never had a sandbox");
  }

  @Test
  void aRunsSightIsTold() {
    ada.done("/agents", Map.of("slug", "seer"));
    ada.done("/agents/seer/credentials/github", Map.of("token", "ghp_token", "login", "octo"));
    Run run = staging.runWithSandbox("seer", "Look around");

    String before = ada.page("/runs/" + run.id() + "/grants");
    assertThat(before)
        .contains("GitHub", "GitLab", "Not available", "Open: it could connect anywhere.")
        .contains("Local", "Redaction takes known values out");
    ada.done("/agents/seer/credentials/github/permission", Map.of("enabled", "false"));
    assertThat(ada.page("/runs/" + run.id() + "/grants"))
        .contains("taken back since", "so its sandbox may not be used any more");
    assertThat(ada.get("/runs/00000000-0000-4000-8000-000000000000/grants").status())
        .isEqualTo(404);
  }

  @Test
  void activityIsFilteredPagedAndExported() {
    ada.done("/agents", Map.of("slug", "watched", "name", "=cmd|' /C calc'!A0"));
    for (int i = 0; i < 53; i++) {
      staging.run("watched", "Run " + i);
    }

    String first = vera.page("/activity?agent=watched&action=run");
    assertThat(first)
        .contains("run.created", "value=\"watched\"", "Older")
        .contains("/api/activity/export?format=csv&amp;agent=watched&amp;action=run")
        .doesNotContain("agent.created");
    String older = first.replaceAll("(?s).*href=\"(/activity\\?[^\"]*cursor[^\"]*)\".*", "$1");
    assertThat(vera.page(older.replace("&amp;", "&")))
        .contains("run.created", "Newest")
        .doesNotContain(">Older<");
    assertThat(vera.page("/activity?actor=ada&action=agent.created"))
        .contains("agent.created", "<ins>watched</ins>", "max_concurrent_workspaces");
    assertThat(vera.page("/activity?since=2099-01-01T00:00")).contains("No entry matches");

    Answer wrong = vera.get("/activity?run=7&since=yesterday");
    assertThat(wrong.status()).isEqualTo(422);
    assertThat(wrong.text()).contains("href=\"#run\"", "href=\"#since\"");

    Answer csv = vera.get("/api/activity/export?format=csv&agent=watched");
    assertThat(csv.headers().get("content-disposition")).matches("attachment; filename=\".*csv\"");
    assertThat(csv.headers().get("content-type")).startsWith("text/csv");
    assertThat(csv.text()).startsWith("id,at,actor,");
    assertThat(csv.text().lines()).hasSize(1 + 54).noneMatch(it -> it.matches("(?s)[=+@-].*"));
    Answer lines = vera.get("/api/activity/export?format=jsonl&agent=watched&action=run");
    assertThat(lines.text().lines())
        .hasSize(53)
        .allSatisfy(it ->
            assertThat(TestMesh.JSON.readTree(it).path("action").asString())
                .isEqualTo("run.created"));
    assertThat(mesh.admin().get("/api/activity/export?format=csv").status()).isEqualTo(200);
    assertThat(mesh.admin().get("/api/activity/export?format=xls").code())
        .isEqualTo("format_unknown");
    assertThat(mesh.with("").get("/api/activity/export?format=csv").status()).isEqualTo(401);
  }

  @Test
  void aFileThatBreaksOffDoesNotLookWhole() throws Exception {
    var jdbc = mesh.bean(JdbcClient.class);
    jdbc.sql(
            """
            insert into activity (actor_id, action, after)
            select '00000000-0000-0000-0000-000000000001', 'filler.made',
                   json_build_object('text', repeat('x', 1000))
              from generate_series(1, 30000)
            """)
        .update();
    var request =
        HttpRequest.newBuilder(
                URI.create(mesh.url() + "/api/activity/export?format=csv&action=filler"))
            .header("Authorization", "Bearer " + mesh.admin().token())
            .build();
    try (var http = HttpClient.newHttpClient()) {
      var answer = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
      assertThat(answer.body().read()).isEqualTo('i');
      jdbc.sql("alter table activity rename to activity_elsewhere").update();
      try {
        assertThatThrownBy(() -> answer.body().readAllBytes()).isInstanceOf(IOException.class);
      } finally {
        jdbc.sql("alter table activity_elsewhere rename to activity").update();
      }
    }
  }
}
