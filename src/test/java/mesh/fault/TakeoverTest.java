package mesh.fault;

import static mesh.fault.Scene.must;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import mesh.Await;
import mesh.ServerProcess;
import mesh.ServerProcess.Extras;
import mesh.fault.Clients.Agent;
import mesh.fault.Clients.Run;
import mesh.history.Checker;
import mesh.history.Promises;
import mesh.simulator.sprites.CallKind;
import mesh.simulator.sprites.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two servers on one database, both at work. One is killed, and within 30 s the other has all that
 * it was at: the runs that it drove, and the sandboxes that it was making.
 */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class TakeoverTest {

  private static final Duration PROMISED = Duration.ofSeconds(30);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration GRACE = Duration.ofSeconds(5);
  private static final int DRIVEN = 6;
  private static final int MAKING = 3;

  private static final String MODEL =
      """
      {"slug":"driven","name":"Driven","max_concurrent_workspaces":100,
       "model":{"kind":"scripted","summary":"Through.","steps":[
         {"tool":"workspace_exec","arguments":{"script":"echo 1 >> effects; sleep 6"},"may_fail":true},
         {"tool":"workspace_exec","arguments":{"script":"echo 2 >> effects; sleep 6"},"may_fail":true},
         {"tool":"workspace_exec","arguments":{"script":"echo 3 >> effects; sleep 6"},"may_fail":true},
         {"tool":"workspace_exec","arguments":{"argv":["cat","effects"]}}]}}
      """;

  private Site site;
  private Clients clients;
  private ServerProcess first;
  private ServerProcess second;
  private Agent agent;

  @BeforeEach
  void start() {
    site = Site.open();
    site.vendor().graceAfterDisconnect(GRACE);
    clients = new Clients(site.recorder());
    first = site.begin(new Extras(List.of(), Site.FAST)).ready();
    site.onlySprites(first);
    second = site.begin(new Extras(List.of(), Site.FAST)).ready();
    agent = clients.newAgent(first, "external", 100);
    first.admin().post("/api/agents", MODEL).ok();
  }

  @AfterEach
  void stop() {
    site.close();
  }

  @Test
  void theOtherServerGoesOnWithEverythingWithinThirtySeconds() {
    var used = List.of(external(), external(), external(), external());
    must(clients.exec(first, used.get(0), "echo first"));
    must(clients.exec(first, used.get(1), "echo first"));
    must(clients.exec(second, used.get(2), "echo second"));
    must(clients.exec(second, used.get(3), "echo second"));
    var dying = ownerOf(used.get(0));
    assertThat(dying).isNotEqualTo(ownerOf(used.get(2)));
    var driven = drive();
    Await.until(PATIENCE, () -> drivers(driven), both -> both.size() == 2);
    Await.until(PATIENCE, () -> notReady(driven), List::isEmpty);
    var making = beginToMake();
    var lost = drivenBy(dying, driven);
    assertThat(lost).isNotEmpty();

    first.kill();
    site.recorder().killed("first");
    var died = Instant.now();

    var drivenOn =
        since(died, () -> Await.until(PATIENCE, () -> drivenBy(dying, lost), List::isEmpty));
    var settled =
        since(died, () -> Await.until(PATIENCE, () -> notReady(ids(making)), List::isEmpty));
    for (var run : used) {
      must(clients.exec(second, run, "echo on"));
    }
    making.forEach(run -> must(clients.exec(second, run, "echo made")));
    Await.until(PATIENCE, () -> unfinished(driven), List::isEmpty);
    System.out.printf(
        "TakeoverTest: %d driven runs went on after %.1f s, %d sandboxes that were being made were"
            + " settled after %.1f s%n",
        lost.size(), drivenOn.toMillis() / 1e3, making.size(), settled.toMillis() / 1e3);

    assertThat(drivenOn).isLessThan(PROMISED);
    assertThat(settled).isLessThan(PROMISED);
    assertThat(endsOf(driven)).containsOnly("completed");
    used.forEach(run -> must(clients.finish(second, run)));
    making.forEach(run -> must(clients.finish(second, run)));
    site.quiet(PATIENCE);
    assertThat(
            Checker.with(Promises.ofAVendorThatEndsCommandsAfter(GRACE)).violations(site.history()))
        .isEmpty();
  }

  private Run external() {
    return clients.start(first, agent, null).orElseThrow();
  }

  /** Half of them at each server, which then is the first to know of them. */
  private List<UUID> drive() {
    var runs = new ArrayList<UUID>();
    for (int i = 0; i < DRIVEN; i++) {
      var at = i % 2 == 0 ? first : second;
      runs.add(
          UUID.fromString(
              at.admin()
                  .post("/api/runs", "{\"agent\":\"driven\",\"input\":\"Go\"}")
                  .ok()
                  .get("id")
                  .asString()));
    }
    return runs;
  }

  /** The vendor takes long enough for the server to be killed meanwhile. */
  private List<Run> beginToMake() {
    var runs = new ArrayList<Run>();
    int before = site.vendor().calls(CallKind.CREATE).size();
    site.vendor().faults().next(MAKING, CallKind.CREATE, Fault.slow(Duration.ofSeconds(5)));
    for (int i = 0; i < MAKING; i++) {
      var run = external();
      runs.add(run);
      var _ =
          CompletableFuture.supplyAsync(
              () -> clients.exec(first, run, "echo never"), Thread.ofVirtual()::start);
    }
    Await.until(
        PATIENCE, () -> site.vendor().calls(CallKind.CREATE).size(), now -> now == before + MAKING);
    return runs;
  }

  private UUID ownerOf(Run run) {
    return site.jdbc()
        .sql("select owner_instance from workspaces where run_id = :run")
        .param("run", run.id())
        .query(UUID.class)
        .single();
  }

  private List<UUID> drivers(List<UUID> runs) {
    return site.jdbc()
        .sql(
            "select distinct lease_owner from runs where id in (:runs) and lease_owner is not null")
        .param("runs", runs)
        .query((row, _) -> row.getObject(1, UUID.class))
        .list();
  }

  private List<UUID> drivenBy(UUID instance, List<UUID> runs) {
    return site.jdbc()
        .sql("select id from runs where id in (:runs) and lease_owner = :instance")
        .param("runs", runs)
        .param("instance", instance)
        .query((row, _) -> row.getObject(1, UUID.class))
        .list();
  }

  private List<UUID> notReady(List<UUID> runs) {
    return site.jdbc()
        .sql("select id from workspaces where state <> 'ready' and run_id in (:runs)")
        .param("runs", runs)
        .query((row, _) -> row.getObject(1, UUID.class))
        .list();
  }

  private static List<UUID> ids(List<Run> runs) {
    return runs.stream().map(Run::id).toList();
  }

  private List<UUID> unfinished(List<UUID> runs) {
    return site.jdbc()
        .sql("select id from runs where id in (:runs) and ended_at is null")
        .param("runs", runs)
        .query((row, _) -> row.getObject(1, UUID.class))
        .list();
  }

  private List<String> endsOf(List<UUID> runs) {
    return site.jdbc()
        .sql("select status from runs where id in (:runs)")
        .param("runs", runs)
        .query((row, _) -> row.getString(1))
        .list();
  }

  private static Duration since(Instant began, Runnable what) {
    what.run();
    return Duration.between(began, Instant.now());
  }
}
