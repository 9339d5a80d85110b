package mesh.workspace;

import static mesh.credential.Provider.GITHUB;
import static mesh.credential.Provider.GITLAB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import mesh.Await;
import mesh.agent.AgentId;
import mesh.credential.Provider;
import mesh.credential.Race;
import mesh.credential.Rows;
import mesh.database.TestDatabase;
import mesh.execution.ExternalRef;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** No snapshot outlives an authority that its sandbox was given. */
class SnapshotRacesTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private static final TestDatabase DATABASE = TestDatabase.fresh();
  private static final JdbcClient JDBC = DATABASE.jdbc();
  private static final TransactionTemplate TRANSACTIONS = DATABASE.transactions();
  private static final Rows ROWS = new Rows(JDBC);
  private static final SnapshotRepository SNAPSHOTS = new SnapshotRepository(JDBC);

  @AfterAll
  static void drop() {
    DATABASE.close();
  }

  @Nested
  class ASnapshot {

    private final AgentId agent = ROWS.agent();
    private final UUID workspace = ROWS.workspace(agent, "creating", "ready");
    private final SnapshotId id = new SnapshotId(UUID.randomUUID());

    @Test
    void isAvailableOnceCapturedWithWhatTouchedItsSandbox() {
      assertThat(begin(id, workspace)).isTrue();
      assertThat(state(id)).isEqualTo("capturing");

      assertThat(SNAPSHOTS.captured(id, ExternalRef.of("s"), 12)).isTrue();

      assertThat(state(id)).isEqualTo("available");
      assertThat(taints(id)).containsExactly("github 1", "gitlab 1");
    }

    @Test
    void isRetiredByAChangeOfAnyProviderOfItsAgent() {
      begin(id, workspace);
      var other = new SnapshotId(UUID.randomUUID());
      begin(other, workspace);
      SNAPSHOTS.captured(other, ExternalRef.of("s"), 12);

      ROWS.touch(agent, GITLAB);

      assertThat(state(id)).isEqualTo("retired");
      assertThat(state(other)).isEqualTo("retired");
    }

    @Test
    void thatWasRetiredMeanwhileIsNotAvailableButCanBeFound() {
      begin(id, workspace);
      ROWS.touch(agent, GITHUB);

      assertThat(SNAPSHOTS.captured(id, ExternalRef.of("late"), 12)).isFalse();

      assertThat(state(id)).isEqualTo("retired");
      assertThat(column(id, "external_ref")).isEqualTo("late");
      assertThat(column(id, "retired_reason")).isEqualTo("authorization_changed");
    }

    @Test
    void isNotRetiredByAChangeThatIsNotCommittedOrOfAnotherAgent() {
      begin(id, workspace);

      ROWS.touch(ROWS.agent(), GITHUB);
      TRANSACTIONS.executeWithoutResult(status -> {
        ROWS.touch(agent, GITHUB);
        assertThat(state(id)).isEqualTo("retired");
        status.setRollbackOnly();
      });

      assertThat(SNAPSHOTS.captured(id, ExternalRef.of("s"), 12)).isTrue();
    }

    @Test
    void isNotBegunOfAnOutdatedOrMissingSandbox() {
      var pending = ROWS.workspace(agent);
      var creating = ROWS.pending(ROWS.run(agent), agent);
      var released = ROWS.workspace(agent, "creating", "releasing", "released");
      ROWS.touch(agent, GITHUB);

      for (var one : List.of(workspace, pending, creating, released, UUID.randomUUID())) {
        assertThat(begin(new SnapshotId(UUID.randomUUID()), one)).isFalse();
      }
    }

    @Test
    void stepsOnlyForward() {
      begin(id, workspace);

      assertThat(refused("state = 'reclaimed', retired_at = now(), retired_reason = 'x'")).isTrue();
      assertThat(refused("state = 'available'")).as("without a reference").isTrue();
      assertThat(refused("agent_id = gen_random_uuid()")).isTrue();
      assertThat(refused("backend_kind = 'other'")).isTrue();
      assertThat(refused("state = 'available', external_ref = 's'")).isFalse();
      assertThat(refused("state = 'capturing'")).isTrue();
      assertThat(refused("external_ref = 't'")).isTrue();
      assertThat(refused("state = 'retired', retired_at = now(), retired_reason = 'x'")).isFalse();
      assertThat(refused("state = 'available', retired_at = null, retired_reason = null")).isTrue();
      assertThat(refused("retired_reason = 'y'")).isTrue();
      assertThat(refused("state = 'reclaimed'")).isFalse();
      assertThat(refused("state = 'retired'")).isTrue();
    }

    @Test
    void isEvidence() {
      begin(id, workspace);

      for (var sql :
          List.of(
              "delete from project_snapshots",
              "truncate project_snapshots cascade",
              "update project_snapshot_taints set permission_revision = permission_revision + 1",
              "delete from project_snapshot_taints",
              "truncate project_snapshot_taints",
              "insert into project_snapshots (id, agent_id, workspace_id, backend_kind, state, external_ref)"
                  + " select gen_random_uuid(), agent_id, workspace_id, 'fake', 'available', 's'"
                  + " from project_snapshots")) {
        assertThatThrownBy(() -> JDBC.sql(sql).update())
            .as(sql)
            .isInstanceOf(DataAccessException.class);
      }
    }

    private boolean refused(String assignments) {
      try {
        JDBC.sql("update project_snapshots set " + assignments + " where id = :id")
            .param("id", id.value())
            .update();
        return false;
      } catch (DataAccessException no) {
        return true;
      }
    }
  }

  /** Both orders of a capture and a change, each made to happen. */
  @Nested
  class WhereTheyMeet {

    @Test
    void aChangeWaitsForACaptureThatBeganBeforeAndRetiresIt() {
      assertThat(captureThenChange(SNAPSHOTS::beginCapture)).isZero();
    }

    @Test
    void aCaptureWaitsForAChangeThatBeganBeforeAndIsRefused() throws Exception {
      var agent = ROWS.agent();
      var workspace = ROWS.workspace(agent, "creating", "ready");
      var id = new SnapshotId(UUID.randomUUID());
      var capture = new FutureTask<>(() -> begin(id, workspace));

      TRANSACTIONS.executeWithoutResult(_ -> {
        ROWS.touch(agent, GITHUB);
        Thread.ofVirtual().start(capture);
        awaitThat(() -> capture.isDone() || Race.waitingFor(JDBC) > 0);
        assertThat(capture.isDone()).isFalse();
      });

      assertThat(capture.get(10, TimeUnit.SECONDS)).isFalse();
    }

    /** The capture without its lock is not seen by the change, and does not see it. */
    @Test
    void withoutItsLockACaptureOutlivesTheChange() {
      Race.mustBeLost(
          "capture without for share", 1, () -> captureThenChange(SnapshotRacesTest::unlocked));
    }

    private int captureThenChange(Capture capture) {
      var agent = ROWS.agent();
      var workspace = ROWS.workspace(agent, "creating", "ready");
      var id = new SnapshotId(UUID.randomUUID());
      var change = new FutureTask<>(() -> ROWS.touch(agent, GITHUB));

      TRANSACTIONS.executeWithoutResult(_ -> {
        assertThat(capture.begin(id, new WorkspaceId(workspace))).isTrue();
        Thread.ofVirtual().start(change);
        awaitThat(() -> change.isDone() || Race.waitingFor(JDBC) > 0);
      });
      try {
        assertThat(change.get(10, TimeUnit.SECONDS)).isEqualTo(2);
      } catch (Exception e) {
        throw new AssertionError(e);
      }

      return outdatedAndUsable(agent);
    }
  }

  @Test
  void manyCapturesAndChangesLeaveNoneBehind() {
    long seed = new Random().nextLong();
    var history = new History(seed);

    int left = history.run(Duration.ofSeconds(3));

    System.out.println(history);
    assertThat(left).as("%s", history).isZero();
    assertThat(history.available.get()).as("%s", history).isPositive();
    assertThat(history.retired.get()).as("%s", history).isPositive();
    assertThat(history.changes.get()).as("%s", history).isGreaterThan(50);
  }

  /** Six that capture, one that changes. */
  private static final class History {

    private static final int CAPTURERS = 6;

    final AtomicInteger available = new AtomicInteger();
    final AtomicInteger retired = new AtomicInteger();
    final AtomicInteger refused = new AtomicInteger();
    final AtomicInteger changes = new AtomicInteger();
    private final long seed;
    private final AgentId agent = ROWS.agent();

    History(long seed) {
      this.seed = seed;
    }

    int run(Duration limit) {
      Race.of(
          CAPTURERS + 1,
          limit,
          (number, race) -> {
            var random = new Random(seed + number);
            if (number < CAPTURERS) {
              while (race.isOn()) {
                capture(random);
              }
              return;
            }
            for (int i = 0; i < 200 && race.isOn(); i++) {
              Race.pause(random, 15_000);
              ROWS.touch(agent, random.nextBoolean() ? GITHUB : GITLAB);
              changes.incrementAndGet();
            }
            race.end();
          });
      return outdatedAndUsable(agent);
    }

    private void capture(Random random) {
      var workspace = ROWS.workspace(agent, "creating");
      // As a sandbox that was made meanwhile becomes ready: not if it was taken.
      JDBC.sql(
              """
              update workspaces
                 set state = 'ready'
               where id = :id and state = 'creating'
              """)
          .param("id", workspace)
          .update();
      var id = new SnapshotId(UUID.randomUUID());
      boolean begun =
          Boolean.TRUE.equals(
              TRANSACTIONS.execute(_ -> {
                boolean may = SNAPSHOTS.beginCapture(id, new WorkspaceId(workspace));
                Race.pause(random, 3_000);
                return may;
              }));
      if (!begun) {
        refused.incrementAndGet();
        return;
      }
      Race.pause(random, 6_000);
      boolean usable = SNAPSHOTS.captured(id, ExternalRef.of(id.toString()), 1);
      (usable ? available : retired).incrementAndGet();
    }

    @Override
    public String toString() {
      return "snapshots: %s available at some time, %s retired mid-capture, %s refused, %s changes, seed %d"
          .formatted(available, retired, refused, changes, seed);
    }
  }

  private interface Capture {
    boolean begin(SnapshotId id, WorkspaceId workspace);
  }

  /** The repository's own statements, but for the lock. */
  private static boolean unlocked(SnapshotId id, WorkspaceId workspace) {
    int begun =
        JDBC.sql(
                """
                insert into project_snapshots (id, agent_id, workspace_id, backend_kind)
                select :id, w.agent_id, w.id, w.backend_kind
                  from workspaces w
                 where w.id = :workspace and w.state in ('ready', 'held', 'releasing')
                   and not exists (select
                                     from workspace_taints t
                                     join workspace_credential_permissions p using (agent_id, provider)
                                    where t.workspace_id = w.id
                                      and p.revision <> t.permission_revision)
                """)
            .param("id", id.value())
            .param("workspace", workspace.value())
            .update();
    JDBC.sql(
            """
            insert into project_snapshot_taints
                   (snapshot_id, agent_id, provider, permission_revision)
            select :id, agent_id, provider, permission_revision
              from workspace_taints
             where workspace_id = :workspace
            """)
        .param("id", id.value())
        .param("workspace", workspace.value())
        .update();
    return begun == 1;
  }

  private static boolean begin(SnapshotId id, UUID workspace) {
    return Boolean.TRUE.equals(
        TRANSACTIONS.execute(_ -> SNAPSHOTS.beginCapture(id, new WorkspaceId(workspace))));
  }

  /** How many of the agent's snapshots can be restored or may become so, and must not. */
  private static int outdatedAndUsable(AgentId agent) {
    return JDBC.sql(
            """
            select count(distinct s.id)
              from project_snapshots s
              join project_snapshot_taints t on t.snapshot_id = s.id
              join workspace_credential_permissions p
                on p.agent_id = t.agent_id and p.provider = t.provider
             where s.agent_id = :agent and s.state in ('capturing', 'available')
               and p.revision <> t.permission_revision
            """)
        .param("agent", agent.value())
        .query(Integer.class)
        .single();
  }

  private static void awaitThat(java.util.concurrent.Callable<Boolean> condition) {
    var _ = Await.until(PATIENCE, condition, holds -> holds);
  }

  private static String state(SnapshotId id) {
    return column(id, "state");
  }

  private static String column(SnapshotId id, String name) {
    return JDBC.sql("select " + name + " from project_snapshots where id = :id")
        .param("id", id.value())
        .query(String.class)
        .single();
  }

  private static List<String> taints(SnapshotId id) {
    var taints = new ArrayList<String>();
    for (var provider : Provider.values()) {
      JDBC.sql(
              """
              select permission_revision
                from project_snapshot_taints
               where snapshot_id = :id and provider = :provider
              """)
          .param("id", id.value())
          .param("provider", provider.word())
          .query(Long.class)
          .list()
          .forEach(revision -> taints.add(provider.word() + " " + revision));
    }
    return taints;
  }
}
