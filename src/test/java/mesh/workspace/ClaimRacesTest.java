package mesh.workspace;

import static mesh.credential.Provider.GITHUB;
import static mesh.credential.Provider.GITLAB;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import mesh.TestMesh;
import mesh.activity.ActorId;
import mesh.agent.AgentId;
import mesh.credential.Credentials;
import mesh.credential.Race;
import mesh.credential.Rows;
import mesh.database.TestDatabase;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.SandboxKey;
import mesh.run.RunId;
import mesh.run.RunStatus;
import mesh.run.Runs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Who gets a sandbox when several reach for it at once, when its run ends meanwhile, and when what
 * the run is issued changes meanwhile. Each also without its guard.
 */
class ClaimRacesTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int PAIRS = 100;

  private static TestDatabase database;
  private static TestMesh mesh;
  private static JdbcClient jdbc;
  private static Rows rows;

  @BeforeAll
  static void start() {
    database = TestDatabase.fresh();
    mesh = TestMesh.on(database);
    jdbc = database.jdbc();
    rows = new Rows(jdbc);
  }

  @AfterAll
  static void stop() {
    mesh.close();
    database.close();
  }

  // many callers, and the agent's limit

  @Test
  void noMoreSandboxesThanTheAgentMayHaveAndOneForEachRun() {
    long seed = new Random().nextLong();
    var claims = new ConcurrentLinkedQueue<Claim.Create>();
    var others = new ConcurrentLinkedQueue<String>();

    var agent =
        crowd(
            seed,
            (run, _) -> {
              var claim = mesh.bean(WorkspaceClaims.class).claim(run);
              if (claim instanceof Claim.Create create) {
                claims.add(create);
              } else {
                others.add(claim.getClass().getSimpleName());
              }
            });

    assertThat(creating(agent)).as("seed %d", seed).isEqualTo(3);
    assertThat(
            claims.stream()
                .filter(one -> one.occasion() == Claim.Occasion.FIRST)
                .map(one -> one.lease().run()))
        .as("seed %d", seed)
        .hasSize(3)
        .doesNotHaveDuplicates();
    assertThat(others).contains("LimitReached");
    assertThat(readied(claims)).as("leases that became ready, seed %d", seed).isEqualTo(3);
    System.out.printf(
        "claims: %d of 640 by 32 callers on 8 runs were let in, for 3 sandboxes, seed %d%n",
        claims.size(), seed);
  }

  @Test
  void withoutItsLocksTheLimitIsPassed() {
    Race.mustBeLost(
        "claim without locks",
        5,
        () ->
            creating(
                    crowd(
                        new Random().nextLong(), (run, random) -> claimUnlocked(run, random, true)))
                - 3);
  }

  /** 32 callers, 20 times each, on 8 runs of an agent that may have 3 sandboxes. */
  private static AgentId crowd(long seed, Caller caller) {
    var agent = rows.agent(3);
    var runs = IntStream.range(0, 8).mapToObj(_ -> runOf(agent)).toList();
    Race.of(
        32,
        LIMIT,
        (number, race) -> {
          var random = new Random(seed + number);
          for (int i = 0; i < 20 && race.isOn(); i++) {
            caller.claim(runs.get((number + i) % runs.size()), random);
          }
        });
    return agent;
  }

  /** How many of the leases can finish their sandbox, the oldest first: one of each workspace. */
  private static int readied(Queue<Claim.Create> claims) {
    var leases =
        claims.stream()
            .map(Claim.Create::lease)
            .sorted(Comparator.comparingLong(Lease::fence))
            .toList();
    int ready = 0;
    for (var lease : leases) {
      var ref = ExternalRef.of("made under " + lease.fence());
      if (mesh.bean(WorkspaceRepository.class).ready(lease, ref, null)) {
        ready++;
      }
    }
    return ready;
  }

  // the run's end

  @Test
  void whatARunThatEndedMeanwhileHasIsReleased() {
    long seed = new Random().nextLong();
    var untracked = new ArrayList<String>();
    var outcomes = new ConcurrentLinkedQueue<String>();

    for (int pair = 0; pair < PAIRS; pair++) {
      var run = runOf(rows.agent());
      meet(
          seed + pair,
          random -> {
            Race.pause(random, 6_000);
            outcomes.add(mesh.bean(WorkspaceClaims.class).claim(run).getClass().getSimpleName());
          },
          random -> {
            Race.pause(random, 3_000);
            mesh.bean(Runs.class).end(run, RunStatus.CANCELLED, "race", null, ActorId.SYSTEM);
          });
      untracked.addAll(untracked(run));
    }

    assertThat(untracked).as("seed %d", seed).isEmpty();
    assertThat(outcomes).as("seed %d", seed).contains("Create", "RunOver");
    System.out.printf(
        "claim and run end: %d times the claim was first, %d times the end, seed %d%n",
        outcomes.stream().filter("Create"::equals).count(),
        outcomes.stream().filter("RunOver"::equals).count(),
        seed);
  }

  /** The end of a run that leaves its workspace to others: this sees what it leaves. */
  @Test
  void anEndThatDoesNotRetireTheWorkspaceLeavesIt() {
    Race.mustBeLost(
        "run end without retiring",
        5,
        () -> {
          int found = 0;
          for (int pair = 0; pair < 20; pair++) {
            var run = runOf(rows.agent());
            meet(
                pair,
                _ -> {
                  var _ = mesh.bean(WorkspaceClaims.class).claim(run);
                },
                random -> {
                  Race.pause(random, 6_000);
                  jdbc.sql(
                          """
                          update runs
                             set status = 'cancelled', status_reason = 'race', ended_at = now()
                           where id = :run
                          """)
                      .param("run", run.value())
                      .update();
                });
            found += untracked(run).size();
          }
          return found;
        });
  }

  /** A run's workspace that nobody is about to release. */
  private static List<String> untracked(RunId run) {
    return jdbc.sql(
            """
            select w.state
              from workspaces w
              join runs r on r.id = w.run_id
             where w.run_id = :run and r.ended_at is not null
               and w.state <> 'released'
               and not (w.state = 'releasing'
                        and exists (select
                                      from workspace_teardowns t
                                     where t.workspace_id = w.id and t.done_at is null))
            """)
        .param("run", run.value())
        .query((row, _) -> row.getString(1))
        .list();
  }

  // a change of what the run is issued

  @Test
  void aClaimDuringAChangeIsOfTheNewAuthorityOrLost() {
    long seed = new Random().nextLong();
    var endings = new EnumMap<Ending, Integer>(Ending.class);

    for (int pair = 0; pair < PAIRS; pair++) {
      var agent = rows.agent();
      var run = runOf(agent);
      meet(
          seed + pair,
          random -> {
            Race.pause(random, 3_000);
            var claim = mesh.bean(WorkspaceClaims.class).claim(run);
            assertThat(claim).isInstanceOf(Claim.Create.class);
          },
          random -> {
            Race.pause(random, 6_000);
            mesh.bean(Credentials.class)
                .permit(
                    agent,
                    random.nextBoolean() ? GITHUB : GITLAB,
                    random.nextBoolean(),
                    ActorId.SYSTEM);
          });
      endings.merge(ending(run), 1, Integer::sum);
    }

    System.out.printf("claim and change: %s, seed %d%n", endings, seed);
    assertThat(endings)
        .as("seed %d", seed)
        .containsOnlyKeys(Ending.OF_THE_NEW_AUTHORITY, Ending.TAKEN);
  }

  @Test
  void withoutItsLockAClaimOutlivesTheChange() {
    Race.mustBeLost(
        "permissions not locked",
        5,
        () -> {
          int found = 0;
          for (int pair = 0; pair < 20; pair++) {
            var agent = rows.agent();
            var run = runOf(agent);
            meet(
                pair,
                random -> claimUnlocked(run, random, false),
                random -> {
                  Race.pause(random, 6_000);
                  rows.touch(agent, GITHUB);
                });
            if (ending(run) == Ending.OUTDATED) {
              found++;
            }
          }
          return found;
        });
  }

  private enum Ending {
    OF_THE_NEW_AUTHORITY,
    TAKEN,
    OUTDATED
  }

  private static Ending ending(RunId run) {
    var row =
        jdbc.sql(
                """
                select w.state, coalesce(w.release_reason, ''),
                       exists (select
                                 from workspace_taints t
                                 join workspace_credential_permissions p using (agent_id, provider)
                                where t.workspace_id = w.id
                                  and p.revision <> t.permission_revision),
                       exists (select
                                 from workspace_credential_issuances i
                                 join workspace_credential_permissions p using (agent_id, provider)
                                where i.run_id = w.run_id
                                  and p.revision <> i.permission_revision),
                       exists (select
                                 from workspace_teardowns t
                                where t.workspace_id = w.id and t.done_at is null
                                  and t.reason = 'authorization_changed'),
                       (select count(*) from workspace_taints t where t.workspace_id = w.id)
                  from workspaces w
                 where w.run_id = :run
                """)
            .param("run", run.value())
            .query((at, _) ->
                new Facts(
                    at.getString(1),
                    at.getString(2),
                    at.getBoolean(3),
                    at.getBoolean(4),
                    at.getBoolean(5),
                    at.getInt(6)))
            .single();
    assertThat(row.taints()).isEqualTo(2);
    if (row.state().equals("creating") && !row.outdatedTaint()) {
      assertThat(row.outdatedIssuance()).isFalse();
      return Ending.OF_THE_NEW_AUTHORITY;
    }
    return row.state().equals("releasing")
            && row.reason().equals("authorization_changed")
            && row.queued()
        ? Ending.TAKEN
        : Ending.OUTDATED;
  }

  private record Facts(
      String state,
      String reason,
      boolean outdatedTaint,
      boolean outdatedIssuance,
      boolean queued,
      int taints) {}

  // how tests say it

  private interface Caller {
    void claim(RunId run, Random random);
  }

  private interface Act {
    void run(Random random);
  }

  private static void meet(long seed, Act one, Act other) {
    Race.of(
        2, LIMIT, (number, _) -> (number == 0 ? one : other).run(new Random(seed * 31 + number)));
  }

  private static RunId runOf(AgentId agent) {
    var run = rows.run(agent);
    rows.pending(run, agent);
    return run;
  }

  private static int creating(AgentId agent) {
    return jdbc.sql(
            "select count(*) from workspaces where agent_id = :agent and state = 'creating'")
        .param("agent", agent.value())
        .query(Integer.class)
        .single();
  }

  /** The statements of a claim, but without any lock that is asked for. */
  private static void claimUnlocked(RunId run, Random random, boolean hurried) {
    database
        .transactions()
        .executeWithoutResult(_ -> {
          var row =
              jdbc.sql(
                      """
                      select w.id, w.state, a.max_concurrent_workspaces,
                             (select count(*)
                                from workspaces o
                               where o.agent_id = a.id
                                 and o.state in ('creating', 'ready', 'releasing')) as live
                        from runs r
                        join runtime_agents a on a.id = r.agent_id
                        join workspaces w on w.run_id = r.id
                       where r.id = :run and r.ended_at is null
                      """)
                  .param("run", run.value())
                  .query((at, _) ->
                      new Unlocked(
                          at.getObject("id", UUID.class),
                          at.getString("state").equals("pending")
                              && at.getInt("live") < at.getInt("max_concurrent_workspaces")))
                  .single();
          if (!row.may()) {
            return;
          }
          rows.issue(run);
          Race.pause(random, hurried ? 3_000 : 6_000);
          rows.taint(row.id());
          jdbc.sql(
                  """
                  update workspaces
                     set state = 'creating', backend_kind = 'local', create_key = :key,
                         size = 'small', fence = fence + 1
                   where id = :id and state = 'pending'
                  """)
              .param("id", row.id())
              .param("key", SandboxKey.of(new InstallationId("aaaaaaaaaa"), row.id(), 1).value())
              .update();
        });
  }

  private record Unlocked(UUID id, boolean may) {}
}
