package mesh.workspace;

import static mesh.credential.Provider.GITHUB;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import mesh.agent.AgentId;
import mesh.credential.Race;
import mesh.credential.Rows;
import mesh.database.TestDatabase;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Several instances end many sandboxes; some die with their claims, some come back too late. */
class TeardownRacesTest {

  private static final int SANDBOXES = 1_000;
  private static final int WORKERS = 8;
  private static final int AT_ONCE = 16;
  private static final Duration CLAIM = Duration.ofMillis(150);
  private static final Duration LATE = Duration.ofMillis(200);
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final TestDatabase database = TestDatabase.fresh();
  private final JdbcClient jdbc = database.jdbc();
  private final TeardownRepository queue = new TeardownRepository(jdbc);
  private AgentId agent = new AgentId(new UUID(0, 0));

  @AfterEach
  void drop() {
    database.close();
  }

  @Test
  void eachSandboxIsReleasedExactlyOnce() {
    fill(SANDBOXES);

    var history = new History(teardown -> queue.done(teardown, null)).run();

    System.out.println(history);
    assertThat(history.violations()).as("%s", history).isZero();
    assertThat(history.released()).as("%s", history).isEqualTo(SANDBOXES);
    assertThat(history.died.get()).as("%s", history).isPositive();
    assertThat(history.tooLate.get()).as("%s", history).isPositive();
  }

  @Test
  void withoutTheFenceAClaimThatWasLostIsFinished() {
    Race.mustBeLost(
        "fence off",
        8,
        () -> {
          fill(500);
          return new History(this::doneWithoutFence).run().violations();
        });
  }

  /** The repository's own statement, but for the fence. */
  private boolean doneWithoutFence(Teardown teardown) {
    return jdbc.sql(
                """
                with done as (
                  update workspace_teardowns
                     set done_at = clock_timestamp(), last_error = null, claimed_until = null
                   where workspace_id = :id and done_at is null
                  returning workspace_id)
                update workspaces w
                   set state = 'released', released_at = clock_timestamp()
                  from done
                 where w.id = done.workspace_id and w.state = 'releasing'
                """)
            .param("id", teardown.workspace().value())
            .update()
        == 1;
  }

  /** Sandboxes of an agent whose authority then changed. */
  private void fill(int sandboxes) {
    agent = new Rows(jdbc).agent();
    insertReady(jdbc, agent, sandboxes);
    long start = System.nanoTime();
    new Rows(jdbc).touch(agent, GITHUB);
    System.out.printf(
        "one change queued %d teardowns in %d ms%n",
        sandboxes, Duration.ofNanos(System.nanoTime() - start).toMillis());
    assertThat(queue.due()).containsExactlyEntriesOf(Map.of("fake", sandboxes));
  }

  static void insertReady(JdbcClient jdbc, AgentId agent, int count) {
    jdbc.sql(
            """
            with run as (
              insert into runs (id, agent_id, status, mode, input, created_by_actor_id)
              select gen_random_uuid(), :agent, 'running', 'external', '', :actor
                from generate_series(1, :count)
              returning id, agent_id, created_by_actor_id)
            insert into workspaces (id, run_id, agent_id, created_by_actor_id)
            select gen_random_uuid(), id, agent_id, created_by_actor_id
              from run
            """)
        .param("agent", agent.value())
        .param("actor", mesh.activity.ActorId.SYSTEM.value())
        .param("count", count)
        .update();
    jdbc.sql(
            """
            insert into workspace_taints (workspace_id, agent_id, provider, permission_revision)
            select w.id, p.agent_id, p.provider, p.revision
              from workspaces w
              join workspace_credential_permissions p using (agent_id)
             where w.agent_id = :agent
            """)
        .param("agent", agent.value())
        .update();
    jdbc.sql(
            """
            update workspaces
               set state = 'creating', backend_kind = 'fake', size = 'small',
                   create_key = 'mesh-aaaaaaaaaa-' || substr(md5(id::text), 1, 25) || '-1'
             where agent_id = :agent
            """)
        .param("agent", agent.value())
        .update();
    jdbc.sql(
            """
            update workspaces
               set state = 'ready', external_ref = 'ref-' || id
             where agent_id = :agent
            """)
        .param("agent", agent.value())
        .update();
  }

  private interface Completion {
    boolean done(Teardown teardown);
  }

  private final class History {

    final Queue<Teardown> finished = new ConcurrentLinkedQueue<>();
    final AtomicInteger died = new AtomicInteger();
    final AtomicInteger tooLate = new AtomicInteger();
    private final Map<WorkspaceId, AtomicInteger> destroyed = new ConcurrentHashMap<>();
    private final long seed = new Random().nextLong();
    private final Completion completion;
    private Duration took = Duration.ZERO;

    History(Completion completion) {
      this.completion = completion;
    }

    History run() {
      long start = System.nanoTime();
      Race.of(
          WORKERS,
          LIMIT,
          (number, race) -> {
            var random = new Random(seed + number);
            var instance = new UUID(seed, number);
            while (race.isOn() && unfinished() > 0) {
              work(instance, random);
            }
          });
      took = Duration.ofNanos(System.nanoTime() - start);
      return this;
    }

    private void work(UUID instance, Random random) {
      var claimed = queue.claim("fake", instance, CLAIM, AT_ONCE);
      if (claimed.isEmpty()) {
        LockSupport.parkNanos(CLAIM.toNanos() / 3);
        return;
      }
      int fate = random.nextInt(10);
      if (fate == 0) {
        died.addAndGet(claimed.size());
        return;
      }
      if (fate == 1) {
        LockSupport.parkNanos(LATE.toNanos());
      }
      for (var teardown : claimed) {
        destroyed.computeIfAbsent(teardown.workspace(), _ -> new AtomicInteger()).incrementAndGet();
        if (completion.done(teardown)) {
          finished.add(teardown);
        } else {
          tooLate.incrementAndGet();
        }
      }
    }

    private int unfinished() {
      return jdbc.sql("select count(*) from workspace_teardowns where done_at is null")
          .query(Integer.class)
          .single();
    }

    int released() {
      return jdbc.sql(
              """
              select count(*)
                from workspaces w
                join workspace_teardowns t on t.workspace_id = w.id
               where w.agent_id = :agent and w.state = 'released' and t.done_at is not null
              """)
          .param("agent", agent.value())
          .query(Integer.class)
          .single();
    }

    /** Rows finished twice, or by a claim that was not the last one. */
    int violations() {
      var last =
          jdbc
              .sql("select workspace_id, fence from workspace_teardowns")
              .query((row, _) ->
                  Map.entry(
                      new WorkspaceId(row.getObject("workspace_id", UUID.class)),
                      row.getLong("fence")))
              .list()
              .stream()
              .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
      int lost =
          (int)
              finished.stream()
                  .filter(one -> !Long.valueOf(one.fence()).equals(last.get(one.workspace())))
                  .count();
      int twice =
          finished.size() - (int) finished.stream().map(Teardown::workspace).distinct().count();
      return lost + twice;
    }

    @Override
    public String toString() {
      return "teardowns: %d released in %d ms, %s died with their claim, %s came too late, %d destroy calls, %d violations, seed %d"
          .formatted(
              released(),
              took.toMillis(),
              died,
              tooLate,
              destroyed.values().stream().mapToInt(AtomicInteger::get).sum(),
              violations(),
              seed);
    }
  }
}
