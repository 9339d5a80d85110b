package mesh.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.TestMesh.Answer;
import mesh.TestMesh.Client;
import mesh.database.Installation;
import mesh.database.TestDatabase;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.Outcome;
import mesh.execution.SandboxKey;
import mesh.workspace.FakeVendor.Call;
import mesh.workspace.FakeVendor.Mischief;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/**
 * Reported faults of the life of sandboxes, each as a test, on a whole Mesh and two vendors that do
 * what a test wants. {@code case N} names the row of the collection.
 */
class LifecycleCasesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final TestDatabase DATABASE = TestDatabase.fresh();
  private static final FakeVendor GOOD = new FakeVendor("good", InstantSource.system());
  private static final FakeVendor OTHER = new FakeVendor("another", InstantSource.system());

  private static TestMesh mesh;
  private static JdbcClient jdbc;

  private final List<Started> started = new ArrayList<>();
  private String slug = "";

  @BeforeAll
  static void start() {
    mesh =
        TestMesh.with(
            DATABASE,
            List.of(GOOD, OTHER),
            "mesh.workspaces.sweep-every=1d",
            "mesh.workspaces.sweep-limit=10s",
            "mesh.workspaces.longest-run=5h",
            "mesh.workspaces.lifetime-margin=7m");
    jdbc = DATABASE.jdbc();
    var admin = mesh.admin();
    Await.until(
        Duration.ofMinutes(2),
        () -> admin.get("/api/workspaces?status=released").ok().get("workspaces").size(),
        released -> released == 1);
    admin.put("/api/settings/agent-runtimes/good", "{\"enabled\":true}").ok();
    admin.put("/api/settings/agent-runtimes/another", "{\"enabled\":true}").ok();
    admin.put("/api/settings/agent-runtimes/local", "{\"enabled\":false}").ok();
  }

  @AfterAll
  static void stop() {
    mesh.close();
    DATABASE.close();
  }

  @BeforeEach
  void makeAgent() {
    slug = "agent-" + Long.toString(System.nanoTime(), 36);
    agent(slug, "good", 300);
  }

  @AfterEach
  void nothingIsLeft() {
    for (var vendor : List.of(GOOD, OTHER)) {
      vendor.mischief(_ -> Mischief.NONE);
      vendor.commands(_ -> new Outcome.Exited(0, 0));
      vendor.hide(Set.of());
      vendor.strangers(0, 0);
      vendor.goOn();
    }
    started.forEach(Started::finish);
    // What was never seen is waited for no longer.
    jdbc.sql(
            """
            update workspace_teardowns
               set next_attempt_at = clock_timestamp(), requested_at = requested_at - interval '1 hour'
             where done_at is null
            """)
        .update();
    mesh.bean(Releaser.class).wake();
    Await.until(
        PATIENCE, () -> count("releasing") + count("ready") + count("creating"), n -> n == 0);
    Await.until(PATIENCE, GOOD::sandboxes, Map::isEmpty);
  }

  /** Case 88: only what is this installation's own and in no row goes, and only after a grace. */
  @Test
  void theSweepDestroysItsOwnOrphansAndNothingElse() throws InterruptedException {
    var live = run();
    live.exec();
    var orphan = key(UUID.randomUUID());
    var fresh = key(UUID.randomUUID());
    GOOD.plant(orphan, Instant.now().minus(Duration.ofMinutes(20)));
    GOOD.plant(fresh, Instant.now().minus(Duration.ofMinutes(5)));
    GOOD.strangers(3, 2);

    sweep();

    assertThat(GOOD.sandboxes()).hasSize(2).containsKey(fresh).doesNotContainKey(orphan);
    var found = inventory("good");
    assertThat(found.get("ours").asInt()).isEqualTo(3);
    assertThat(found.get("unknown").asInt()).isEqualTo(2);
    assertThat(found.get("destroyed").asInt()).isEqualTo(1);
    assertThat(found.get("others").asInt()).isEqualTo(3);
    assertThat(found.get("unmarked").asInt()).isEqualTo(2);
    live.exec();
    // Old enough now.
    GOOD.plant(fresh, Instant.now().minus(Duration.ofMinutes(16)));
    sweep();
    assertThat(GOOD.sandboxes()).hasSize(1);
    assertThat(inventory("good").get("destroyed_ever").asInt()).isGreaterThanOrEqualTo(2);
  }

  /** A vendor that ends sandboxes by itself must not do so before Mesh does. */
  @Test
  void aSandboxIsAskedForForTheLongestRunAndAMargin() {
    var live = run();

    live.exec();

    assertThat(GOOD.asked().getLast().lifetime())
        .isEqualTo(Duration.ofHours(5).plus(Duration.ofMinutes(7)));
  }

  /** Case 89: a list that lags ends nothing; the vendor is asked for each by itself. */
  @Test
  void absenceFromAListProvesNothing() throws InterruptedException {
    var live = run();
    live.exec();
    jdbc.sql(
            "update workspaces set ready_at = clock_timestamp() - interval '5 minutes' where state = 'ready'")
        .update();
    GOOD.hide(GOOD.sandboxes().keySet());
    var ghost = key(UUID.randomUUID());
    GOOD.haunt(ghost, Instant.now().minus(Duration.ofHours(1)));

    sweep();

    assertThat(live.status()).isEqualTo("ready");
    live.exec();
    assertThat(inventory("good").get("missing").asInt()).isZero();
    assertThat(inventory("good").get("error").isNull()).as("deleted twice is fine").isTrue();
  }

  /** A row must not believe for ever in what its vendor has not. */
  @Test
  void whatTheVendorSaysIsGoneIsLost() throws InterruptedException {
    var live = run();
    live.exec();
    jdbc.sql(
            "update workspaces set ready_at = clock_timestamp() - interval '5 minutes' where state = 'ready'")
        .update();
    GOOD.destroy(ExternalRef.of(GOOD.sandboxes().keySet().iterator().next()));

    sweep();

    assertThat(live.status()).isEqualTo("lost");
    assertThat(live.exec().get("notice").asString()).contains("lost with its files");
  }

  /** Case 90: a row that nobody can release keeps no other from being released. */
  @Test
  void oneBrokenRowKeepsNoOtherWaiting() {
    var bad = run();
    bad.exec();
    var normal = List.of(run(), run(), run());
    normal.forEach(Started::exec);
    mesh.admin().delete("/api/agents/" + slug);
    // As a build without that runtime finds it.
    jdbc.sql(
            "set session_replication_role = replica; update workspaces set backend_kind = 'nowhere' where run_id = '%s'; set session_replication_role = default"
                .formatted(bad.id))
        .update();

    bad.finish();
    normal.forEach(Started::finish);

    normal.forEach(run -> Await.until(PATIENCE, run::status, "released"::equals));
    Await.until(PATIENCE, bad::status, "stranded"::equals);
    var evidence = bad.workspace();
    assertThat(evidence.get("release_error").asString())
        .contains("'nowhere'", "is not in this build or has no credential", "by hand", "mesh-");

    // A person deletes it and says so.
    var key = GOOD.sandboxes().keySet().iterator().next();
    assertThat(
            mesh.admin()
                .post(
                    "/api/workspaces/" + normal.getFirst().workspaceId() + "/release",
                    "{\"by_hand\":true}")
                .code())
        .isEqualTo("workspace_not_stranded");
    destroy(key);
    mesh.admin()
        .post("/api/workspaces/" + bad.workspaceId() + "/release", "{\"by_hand\":true}")
        .ok();
    assertThat(bad.status()).isEqualTo("released");
    assertThat(bad.workspace().get("release_reason").asString()).isEqualTo("released_by_hand");
  }

  /** CAT-6: disabling ends no release. */
  @Test
  void aDisabledRuntimeStillReleases() {
    var run = run();
    run.exec();
    mesh.admin().put("/api/settings/agent-runtimes/good", "{\"enabled\":false}").ok();
    try {
      run.finish();

      Await.until(PATIENCE, run::status, "released"::equals);
      assertThat(GOOD.sandboxes()).isEmpty();
    } finally {
      mesh.admin().put("/api/settings/agent-runtimes/good", "{\"enabled\":true}").ok();
    }
  }

  /** CAT-5: disabling un-pins in the same breath, and says whom. */
  @Test
  void disablingARuntimeResetsItsAgents() {
    try {
      var saved = mesh.admin().put("/api/settings/agent-runtimes/good", "{\"enabled\":false}").ok();

      assertThat(saved.get("reset_agents").toString()).contains("\"" + slug + "\"");
      assertThat(mesh.admin().get("/api/agents/" + slug).ok().get("runtime_backend").isNull())
          .isTrue();
    } finally {
      mesh.admin().put("/api/settings/agent-runtimes/good", "{\"enabled\":true}").ok();
    }
  }

  /** Case 126, both of the queue and of the comparison. */
  @Test
  void aHangingVendorKeepsNoOtherWaiting() throws InterruptedException {
    OTHER.hang(Call.RELEASE, Call.DESTROY, Call.LIST);
    agent(slug + "-b", "another", 300);
    var stuck = new ArrayList<Started>();
    for (int i = 0; i < 40; i++) {
      stuck.add(run(slug + "-b"));
    }
    inParallel(stuck);
    var good = run();
    good.exec();
    var orphan = key(UUID.randomUUID());
    GOOD.plant(orphan, Instant.now().minus(Duration.ofHours(1)));
    stuck.forEach(Started::finish);
    good.finish();
    long begun = System.nanoTime();

    sweep();

    // "another" comes first by name and had its share of 9 s; the rest was the good one's.
    assertThat(GOOD.sandboxes()).doesNotContainKey(orphan);
    Await.until(PATIENCE, good::status, "released"::equals);
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(12));
    assertThat(inventory("another").get("error").asString()).contains("no answer");
    OTHER.goOn();
    for (var run : stuck) {
      jdbc.sql(
              "update workspace_teardowns set next_attempt_at = clock_timestamp() where done_at is null")
          .update();
      mesh.bean(Releaser.class).wake();
      Await.until(PATIENCE, run::status, "released"::equals);
    }
  }

  /** Gone before its grant could be written: as lost as one that goes during a command. */
  @Test
  void aSandboxThatIsGoneWhenItsGrantIsDueIsLost() {
    mesh.admin()
        .put(
            "/api/agents/" + slug + "/vault/key",
            "{\"value\":\"%s\"}".formatted(Canaries.fresh("vault_")))
        .ok();
    var run = run();
    run.exec();
    destroy(GOOD.sandboxes().keySet().iterator().next());

    var answer = run.agent.tool("workspace_exec", "{\"argv\":[\"x\"],\"secrets\":[\"key\"]}");

    assertThat(answer.code()).isEqualTo("sandbox_lost");
    assertThat(run.status()).isEqualTo("lost");
    assertThat(run.exec().get("notice").asString()).contains("new, empty one");
  }

  /** Case 85: the create that loses is cleaned up. */
  @Test
  void aSandboxThatIsNobodysByTheTimeItIsMadeIsDestroyed() throws Exception {
    var run = run();
    GOOD.hang(Call.ACQUIRE);
    var call = run.begin();
    Await.until(PATIENCE, () -> count("creating"), n -> n == 1);
    // Another instance gave it up meanwhile, as one whose clock of 120 s had run out.
    jdbc.sql(
            """
            update workspaces
               set state = 'pending', generation = generation + 1, backend_kind = null,
                   create_key = null, size = null, egress = null, owner_instance = null,
                   creating_at = null
             where state = 'creating'
            """)
        .update();
    GOOD.goOn();

    assertThat(call.get(20, TimeUnit.SECONDS).ok().get("exit_code").asInt()).isZero();

    assertThat(GOOD.sandboxes()).hasSize(1);
    assertThat(GOOD.sandboxes().keySet().iterator().next()).endsWith("-2");
  }

  /** Case 115: what went wrong first is what is told. */
  @Test
  void bookkeepingThatFailsHidesNoFirstError() {
    GOOD.mischief(call -> call == Call.ACQUIRE ? Mischief.BEFORE : Mischief.NONE);
    jdbc.sql(
            """
            create function no_bookkeeping() returns trigger language plpgsql as
              'begin raise exception ''no bookkeeping''; end';
            create trigger no_bookkeeping before update on workspaces for each row
              when (old.owner_instance is not null and new.owner_instance is null)
              execute function no_bookkeeping();
            """)
        .update();
    var run = run();
    Answer answer;
    try {
      answer = run.call();
    } finally {
      jdbc.sql("drop function no_bookkeeping cascade").update();
    }

    assertThat(answer.code()).isEqualTo("runtime_unavailable");
    assertThat(answer.text()).contains("the vendor is down").doesNotContain("bookkeeping");
  }

  /** Case 11, without a crash: the answer is lost, and no call comes to follow it up. */
  @Test
  void aSandboxWhoseAnswerWasLostIsAdopted() {
    GOOD.mischief(call -> call == Call.ACQUIRE ? Mischief.AFTER : Mischief.NONE);
    var run = run();
    assertThat(run.call().code()).isEqualTo("runtime_unavailable");
    assertThat(GOOD.sandboxes()).hasSize(1);
    assertThat(run.status()).isEqualTo("creating");
    GOOD.mischief(_ -> Mischief.NONE);

    Await.until(PATIENCE, run::status, "ready"::equals);

    assertThat(GOOD.sandboxes()).hasSize(1);
    assertThat(run.exec().get("exit_code").asInt()).isZero();
  }

  /**
   * A create that was never seen: another name for the next, so that it may come as late as it
   * likes.
   */
  @Test
  void aSandboxThatNeverShowsIsGivenUp() throws InterruptedException {
    GOOD.mischief(call -> call == Call.ACQUIRE ? Mischief.LATE : Mischief.NONE);
    var run = run();
    assertThat(run.call().code()).isEqualTo("runtime_unavailable");
    GOOD.mischief(_ -> Mischief.NONE);
    jdbc.sql(
            "update workspaces set creating_at = clock_timestamp() - interval '121 seconds' where state = 'creating'")
        .update();
    Await.until(PATIENCE, run::status, "pending"::equals);
    run.exec();
    GOOD.deliverLate();
    assertThat(GOOD.sandboxes()).hasSize(2);

    jdbc.sql("update inventory_sweeps set started_at = started_at - interval '1 day'").update();
    var late =
        GOOD.sandboxes().keySet().stream()
            .filter(key -> key.endsWith("-1"))
            .findFirst()
            .orElseThrow();
    GOOD.plant(late, Instant.now().minus(Duration.ofMinutes(16)));
    sweep();

    assertThat(GOOD.sandboxes()).hasSize(1).doesNotContainKey(late);
    run.exec();
  }

  /** BGT-1, BGT-2. */
  @Test
  void aRunThatUsedUpItsComputeEndsWithASentence() throws Exception {
    agent(slug + "-c", "good", 2);
    var run = run(slug + "-c");
    run.exec();
    GOOD.hang(Call.EXEC);
    var command = run.begin();

    Await.until(PATIENCE, run::runStatus, "budget_exhausted"::equals);

    var ended = mesh.admin().get("/api/runs/" + run.id).ok();
    assertThat(ended.get("status_reason").asString())
        .isEqualTo("I stopped after 2 seconds of compute, as much as one of my runs may use.");
    assertThat(ended.get("compute_seconds").asDouble()).isBetween(2.0, 8.0);
    assertThat(command.get(10, TimeUnit.SECONDS).code()).isEqualTo("cancelled");
    Await.until(PATIENCE, run::status, "released"::equals);
    var workspace = run.workspace();
    assertThat(workspace.get("sandbox_seconds").asDouble())
        .isGreaterThanOrEqualTo(workspace.get("reported_seconds").asDouble());
    assertThat(workspace.get("reported_seconds").asDouble()).isPositive();
  }

  /** EXE-14: a fresh sandbox of the next size, up to the ceiling, and the agent is told. */
  @Test
  void runningOutOfMemoryClimbs() {
    var sizes = new ArrayList<String>();
    var run = run();
    run.exec();
    GOOD.commands(command ->
        command.argv().getLast().equals("hungry")
            ? new Outcome.OutOfMemory()
            : new Outcome.Exited(0, 0));
    for (int i = 0; i < 3; i++) {
      sizes.add(run.workspace().get("size").asString());

      var result = run.exec("hungry");

      assertThat(result.get("outcome").asString()).isEqualTo("out_of_memory");
      assertThat(result.get("notice").asString())
          .contains("ran out of memory at size " + sizes.getLast(), "new, empty one of size");
      assertThat(run.exec().get("notice").asString()).contains("new, empty and larger one");
      assertThat(GOOD.sandboxes()).as("never two").hasSize(1);
    }
    sizes.add(run.workspace().get("size").asString());
    assertThat(sizes).containsExactly("small", "standard", "large", "xlarge");

    var last = run.exec("hungry");

    assertThat(last.get("notice").asString()).contains("xlarge, the largest that is allowed here");
    assertThat(run.workspace().get("size").asString()).isEqualTo("xlarge");
    assertThat(run.status()).isEqualTo("ready");
  }

  /** Case 64: a vendor that never answers does not keep a run from its end. */
  @Test
  void aRunEndsAlsoWhenItsVendorDoesNotAnswer() throws Exception {
    var run = run();
    run.exec();
    GOOD.hang(Call.EXEC, Call.DESTROY);
    long before = GOOD.count(Call.EXEC);
    var command = run.begin();
    Await.until(PATIENCE, () -> GOOD.count(Call.EXEC), n -> n > before);
    long begun = System.nanoTime();

    mesh.admin().post("/api/runs/" + run.id + "/cancel", "").ok();

    assertThat(run.runStatus()).isEqualTo("cancelled");
    assertThat(command.get(5, TimeUnit.SECONDS).code()).isEqualTo("cancelled");
    assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
  }

  // how tests say it

  private static void agent(String slug, String runtime, int seconds) {
    mesh.admin()
        .post(
            "/api/agents",
            "{\"slug\":\"%s\",\"name\":\"A\",\"runtime_backend\":\"%s\",\"max_compute_seconds\":%d,\"max_concurrent_workspaces\":100}"
                .formatted(slug, runtime, seconds))
        .ok();
  }

  private Started run() {
    return run(slug);
  }

  private Started run(String agent) {
    var created =
        mesh.admin()
            .post("/api/runs", "{\"agent\":\"%s\",\"mode\":\"external\"}".formatted(agent))
            .ok();
    var run = new Started(created.get("id").asString(), mesh.with(created.get("token").asString()));
    started.add(run);
    return run;
  }

  private static void inParallel(List<Started> runs) throws InterruptedException {
    var threads = new ArrayList<Thread>();
    for (var run : runs) {
      threads.add(Thread.ofVirtual().start(run::exec));
    }
    for (var thread : threads) {
      thread.join();
    }
  }

  private static void sweep() throws InterruptedException {
    jdbc.sql("update inventory_sweeps set started_at = started_at - interval '1 day'").update();
    var sweep =
        new java.util.concurrent.FutureTask<>(() -> {
          mesh.bean(InventorySweep.class).sweep();
          return true;
        });
    Thread.ofVirtual().start(sweep);
    try {
      sweep.get(30, TimeUnit.SECONDS);
    } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode inventory(String name) {
    for (var one : mesh.admin().get("/api/workspaces/inventory").ok().get("inventories")) {
      if (one.get("backend_kind").asString().equals(name)) {
        return one;
      }
    }
    throw new AssertionError("no inventory of " + name);
  }

  private static String key(UUID workspace) {
    return SandboxKey.of(new InstallationId(mesh.bean(Installation.class).id()), workspace, 1)
        .value();
  }

  private static void destroy(String key) {
    try {
      GOOD.destroy(ExternalRef.of(key));
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static int count(String state) {
    return jdbc.sql("select count(*) from workspaces where state = :state")
        .param("state", state)
        .query(Integer.class)
        .single();
  }

  /** A run that this test drives. */
  private record Started(String id, Client agent) {

    Answer call(String... argv) {
      var arguments = TestMesh.JSON.createObjectNode();
      var list = arguments.putArray("argv").add("x");
      for (var argument : argv) {
        list.add(argument);
      }
      return agent.tool("workspace_exec", arguments.toString());
    }

    JsonNode exec(String... argv) {
      return call(argv).ok();
    }

    FutureTask<Answer> begin() {
      var call = new FutureTask<>(() -> call());
      Thread.ofVirtual().start(call);
      return call;
    }

    void finish() {
      agent.post("/api/agent/finish", "{\"status\":\"completed\"}");
    }

    String runStatus() {
      return mesh.admin().get("/api/runs/" + id).ok().get("status").asString();
    }

    String workspaceId() {
      return mesh.admin().get("/api/runs/" + id).ok().get("workspace").get("id").asString();
    }

    JsonNode workspace() {
      return mesh.admin().get("/api/workspaces/" + workspaceId()).ok();
    }

    String status() {
      return workspace().get("status").asString();
    }
  }
}
