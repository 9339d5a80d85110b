package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.TestMesh.Answer;
import mesh.TestMesh.Client;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/**
 * What a conversation's next run finds of what the one before it left, whatever the runtime: WSP-8.
 * Case 93: nothing is ever silently something else.
 */
abstract class ContinuationBehaviour {

  private static final Duration PATIENCE = Duration.ofSeconds(40);

  private final List<Run> started = new ArrayList<>();
  private String slug = "";

  abstract TestMesh mesh();

  abstract String runtime();

  /** How many sandboxes there are at the vendor, asleep or awake. */
  abstract int sandboxes();

  /** Changes a file in the only sandbox behind Mesh's back. */
  abstract void tamper(String file, String content);

  /** Somebody deletes the only sandbox at the vendor. */
  abstract void deleteAtVendor();

  @BeforeEach
  void makeAgent() {
    slug = "agent-" + Long.toString(System.nanoTime(), 36);
    admin().post("/api/agents", "{\"slug\":\"%s\",\"name\":\"A\"}".formatted(slug)).ok();
  }

  @AfterEach
  void nothingIsLeft() {
    started.forEach(Run::finish);
    Await.until(
        PATIENCE,
        () -> {
          for (var workspace : admin().get("/api/workspaces?status=held").ok().get("workspaces")) {
            admin().post("/api/workspaces/" + workspace.get("id").asString() + "/release", "");
          }
          return sandboxes();
        },
        left -> left == 0);
  }

  @Test
  void theNextRunOfAConversationFindsTheFiles() {
    var conversation = UUID.randomUUID();
    var first = run(conversation, null);
    first.exec("echo kept > file; mkdir -p d; echo deep > d/f; chmod 750 file");
    first.finish();
    Await.until(PATIENCE, first::status, "held"::equals);
    assertThat(first.workspace().get("held_until").isNull()).isFalse();
    assertThat(sandboxes()).isEqualTo(1);

    var second = run(conversation, null);
    var result = second.exec("cat file d/f; stat -c %a file");

    assertThat(result.get("stdout").asString()).isEqualTo("kept\ndeep\n750\n");
    assertThat(result.get("notice").asString())
        .contains("sandbox that run " + first.id() + " left", "as they were");
    assertThat(second.resume().get("outcome").asString()).isEqualTo("same");
    assertThat(second.resume().get("from_run").asString()).isEqualTo(first.id());
    assertThat(second.workspace().get("inherited_from").asString())
        .isEqualTo(first.workspace().get("id").asString());
    assertThat(first.status()).isEqualTo("released");
    assertThat(first.workspace().get("release_reason").asString()).isEqualTo("continued");
    assertThat(second.notices()).anyMatch(text -> text.contains("as they were"));
    assertThat(second.exec("true").get("notice").isNull()).as("told once").isTrue();
    assertThat(sandboxes()).isEqualTo(1);
  }

  @Test
  void aRunThatContinuesAnotherByNameFindsItsFiles() {
    var conversation = UUID.randomUUID();
    var first = run(conversation, null);
    first.exec("echo kept > file");
    first.finish();
    var silent = run(null, first.id());
    silent.finish();

    // Over a run in between that never needed a sandbox.
    var third = run(null, silent.id());

    assertThat(third.exec("cat file").get("stdout").asString()).isEqualTo("kept\n");
    third.finish();
    Await.until(PATIENCE, third::status, "held"::equals);
  }

  @Test
  void whatRanInItHasEnded() {
    var conversation = UUID.randomUUID();
    var first = run(conversation, null);
    first.exec("nohup sh -c 'while :; do date +%s%N > beat; sleep 0.1; done' >/dev/null 2>&1 &");
    first.finish();
    Await.until(PATIENCE, first::status, "held"::equals);

    var second = run(conversation, null);

    assertThat(
            second.exec("cat beat > a; sleep 1; cmp beat a && echo still").get("stdout").asString())
        .isEqualTo("still\n");
  }

  @Test
  void aRunOfNoConversationLeavesNothing() {
    var first = run(null, null);
    first.exec("echo gone > file");
    first.finish();
    Await.until(PATIENCE, this::sandboxes, left -> left == 0);

    var second = run(null, first.id());
    var result = second.exec("ls");

    assertThat(result.get("stdout").asString()).isEmpty();
    assertThat(result.get("notice").asString())
        .contains(
            "The sandbox that run " + first.id() + " left is not there any more", "new, empty");
    assertThat(second.resume().get("outcome").asString()).isEqualTo("rebuilt");
  }

  @Test
  void whatChangedWhileItSleptIsTold() {
    var conversation = UUID.randomUUID();
    var first = run(conversation, null);
    first.exec("echo kept > file; echo other > other");
    first.finish();
    Await.until(PATIENCE, first::status, "held"::equals);
    tamper("file", "tampered");

    var second = run(conversation, null);
    var result = second.exec("cat file");

    assertThat(result.get("notice").asString())
        .contains("but not as it was left", "the file ./file has changed")
        .doesNotContain("other");
    assertThat(second.resume().get("outcome").asString()).isEqualTo("incomplete");
    assertThat(second.resume().get("differences")).hasSize(1);
  }

  @Test
  void aRepositoryIsComparedByItsCommitAndWhatIsUncommitted() {
    var conversation = UUID.randomUUID();
    var first = run(conversation, null);
    var made =
        first.exec(
            """
            git init -q r && cd r && git config user.email a@b && git config user.name a &&
            echo one > f && git add f && git commit -qm one && echo two > f && echo new > g && git rev-parse HEAD
            """);
    assertThat(made.get("exit_code").asInt()).as(made.toString()).isZero();
    first.finish();
    Await.until(PATIENCE, first::status, "held"::equals);
    tamper("r/.git/HEAD", "ref: refs/heads/nowhere");

    var second = run(conversation, null);
    var notice = second.exec("true").get("notice").asString();

    assertThat(notice)
        .contains("the commit of ./r is none and was " + made.get("stdout").asString().strip());
  }

  @Test
  void aSandboxThatIsGoneAtTheVendorIsMadeAnewAndSaidSo() {
    var conversation = UUID.randomUUID();
    var first = run(conversation, null);
    first.exec("echo gone > file");
    first.finish();
    Await.until(PATIENCE, first::status, "held"::equals);
    deleteAtVendor();

    var second = run(conversation, null);
    var result = second.exec("ls");

    assertThat(result.get("stdout").asString()).isEmpty();
    assertThat(result.get("notice").asString()).contains("lost with its files", "new, empty");
    assertThat(sandboxes()).isEqualTo(1);
  }

  /** One owner at a time, however many come for it. */
  @Test
  void ofManyThatContinueItOneGetsIt() throws Exception {
    var conversation = UUID.randomUUID();
    var first = run(conversation, null);
    first.exec("echo kept > file");
    first.finish();
    Await.until(PATIENCE, first::status, "held"::equals);
    var runs = new ArrayList<Run>();
    for (int i = 0; i < 4; i++) {
      runs.add(run(conversation, first.id()));
    }

    var results = inParallel(runs, "cat file 2>/dev/null; true");

    assertThat(results.stream().filter(it -> it.get("stdout").asString().equals("kept\n")))
        .hasSize(1);
    assertThat(results.stream().filter(it -> it.get("stdout").asString().isEmpty()))
        .hasSize(3)
        .allMatch(it -> it.get("notice").asString().contains("another run has taken it over"));
    assertThat(sandboxes()).isEqualTo(4);
  }

  /**
   * Case 95, CRD-5: it goes although nobody came for it, and what comes after has the new value.
   */
  @Test
  void aChangedCredentialEndsWhatSleepsBeforeAnyRunGetsIt() {
    setToken();
    var conversation = UUID.randomUUID();
    var first = run(conversation, null);
    first.exec("echo $GH_TOKEN > file");
    first.finish();
    Await.until(PATIENCE, first::status, "held"::equals);

    var token = setToken();

    Await.until(PATIENCE, first::status, "released"::equals);
    assertThat(sandboxes()).isZero();
    var second = run(conversation, null);
    var result = second.exec("ls; echo ${#GH_TOKEN}");
    assertThat(result.get("stdout").asString()).isEqualTo(token.length() + "\n");
    assertThat(result.get("notice").asString()).contains("has been changed since", "new, empty");
  }

  /** CRD-5: what touched the sandbox before also counts for who took it over. */
  @Test
  void aChangeEndsAlsoWhatWasTakenOver() {
    setToken();
    var conversation = UUID.randomUUID();
    var first = run(conversation, null);
    first.exec("true");
    first.finish();
    var second = run(conversation, null);
    second.exec("true");

    setToken();

    assertThat(second.call("true").status()).isEqualTo(409);
    Await.until(PATIENCE, this::sandboxes, left -> left == 0);
  }

  @Test
  void nobodyComesInTime() {
    var first = run(UUID.randomUUID(), null);
    first.exec("true");
    first.finish();
    Await.until(PATIENCE, first::status, "held"::equals);

    mesh()
        .bean(JdbcClient.class)
        .sql(
            "update workspaces set held_until = clock_timestamp() where run_id = cast(:run as uuid)")
        .param("run", first.id())
        .update();

    Await.until(PATIENCE, first::status, "released"::equals);
    assertThat(first.workspace().get("release_reason").asString()).isEqualTo("hold_expired");
    assertThat(sandboxes()).isZero();
  }

  @Test
  void theFilesOfAnotherAgentAreNotToBeHad() {
    var conversation = UUID.randomUUID();
    var first = run(conversation, null);
    first.exec("echo mine > file");
    first.finish();
    Await.until(PATIENCE, first::status, "held"::equals);
    var other = "other-" + Long.toString(System.nanoTime(), 36);
    admin().post("/api/agents", "{\"slug\":\"%s\",\"name\":\"B\"}".formatted(other)).ok();

    var refused =
        admin()
            .post(
                "/api/runs",
                "{\"agent\":\"%s\",\"mode\":\"external\",\"continues\":\"%s\"}"
                    .formatted(other, first.id()));
    assertThat(refused.code()).isEqualTo("continues_other_agent");

    var stranger = run(other, conversation, null);
    assertThat(stranger.exec("ls").get("stdout").asString()).isEmpty();
    assertThat(first.status()).isEqualTo("held");
  }

  // how tests say it

  private Client admin() {
    return mesh().admin();
  }

  private Run run(@Nullable UUID conversation, @Nullable String continues) {
    return run(slug, conversation, continues);
  }

  private Run run(String agent, @Nullable UUID conversation, @Nullable String continues) {
    var asked = TestMesh.JSON.createObjectNode().put("agent", agent).put("mode", "external");
    asked.put("conversation", conversation == null ? null : conversation.toString());
    asked.put("continues", continues);
    var created = admin().post("/api/runs", asked).ok();
    var run =
        new Run(
            created.get("id").asString(), mesh().with(created.get("token").asString()), admin());
    started.add(run);
    return run;
  }

  private String setToken() {
    var token = Canaries.fresh("ghp_");
    admin()
        .put(
            "/api/agents/%s/credentials/github".formatted(slug),
            "{\"token\":\"%s\",\"account\":{\"login\":\"bot\"}}".formatted(token))
        .ok();
    return token;
  }

  private static List<JsonNode> inParallel(List<Run> runs, String script)
      throws InterruptedException, ExecutionException {
    var calls = new ArrayList<FutureTask<JsonNode>>();
    for (var run : runs) {
      var call = new FutureTask<>(() -> run.exec(script));
      Thread.ofVirtual().start(call);
      calls.add(call);
    }
    var results = new ArrayList<JsonNode>();
    for (var call : calls) {
      results.add(call.get());
    }
    return results;
  }

  /** A run that this test drives. */
  record Run(String id, Client agent, Client admin) {

    Answer call(String script) {
      return agent.tool(
          "workspace_exec", TestMesh.JSON.createObjectNode().put("script", script).toString());
    }

    JsonNode exec(String script) {
      return call(script).ok();
    }

    void finish() {
      agent.post("/api/agent/finish", "{\"status\":\"completed\"}");
    }

    JsonNode workspace() {
      var id = admin.get("/api/runs/" + id()).ok().get("workspace").get("id").asString();
      return admin.get("/api/workspaces/" + id).ok();
    }

    String status() {
      return workspace().get("status").asString();
    }

    JsonNode resume() {
      return workspace().get("resume");
    }

    List<String> notices() {
      var texts = new ArrayList<String>();
      for (var step : admin.get("/api/runs/" + id + "/steps").ok().get("steps")) {
        texts.add(step.path("output").path("text").asString(""));
      }
      return texts;
    }
  }
}
