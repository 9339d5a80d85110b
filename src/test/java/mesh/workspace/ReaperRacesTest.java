package mesh.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import mesh.Await;
import mesh.credential.Race;
import mesh.credential.Rows;
import mesh.database.TestDatabase;
import mesh.run.RunId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Case 24: the reaper decides on old data while somebody takes the workspace into use. */
class ReaperRacesTest {

  private static final Duration IDLE = Duration.ofHours(1);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final TestDatabase database = TestDatabase.fresh();
  private final JdbcClient jdbc = database.jdbc();
  private final Rows rows = new Rows(jdbc);
  private final ReleaseRepository releases = new ReleaseRepository(jdbc);

  @AfterEach
  void drop() {
    database.close();
  }

  /** Taken into use, not committed yet: the reaper leaves what is locked to its next round. */
  @Test
  void whatIsBeingTakenIsSkipped() {
    var workspace = idle();

    database
        .transactions()
        .executeWithoutResult(_ -> {
          use(workspace);
          assertThat(inAnotherThread(() -> releases.retireIdle(IDLE, Set.of()))).isEmpty();
        });

    assertThat(releases.retireIdle(IDLE, Set.of())).isEmpty();
    assertThat(rows.state(workspace)).isEqualTo("ready");
  }

  /** The reaper paused between its look and its deed: it looks again under the lock. */
  @Test
  void whatWasTakenMeanwhileIsLeft() throws Exception {
    var workspace = idle();
    var reaper = new FutureTask<>(() -> releases.retireIdle(IDLE, Set.of()));

    database
        .transactions()
        .executeWithoutResult(_ -> {
          // Holds the reaper up at its own lock, as a slow disk would.
          jdbc.sql("lock table workspaces in share row exclusive mode").update();
          Thread.ofVirtual().start(reaper);
          Await.until(PATIENCE, () -> Race.waitingFor(jdbc), waiting -> waiting == 1);
          use(workspace);
        });

    assertThat(reaper.get(10, TimeUnit.SECONDS)).isEmpty();
    assertThat(rows.state(workspace)).isEqualTo("ready");
  }

  /** The other order: a workspace that was put away is not used by a hold of before. */
  @Test
  void whatIsPutAwayIsNotTaken() {
    var workspace = idle();
    long fence =
        jdbc.sql("select fence from workspaces where id = :id")
            .param("id", workspace)
            .query(Long.class)
            .single();
    assertThat(releases.retireIdle(IDLE, Set.of())).hasSize(1);

    try (var pool = mesh.database.TestPools.authority(database)) {
      var authority = new AuthorityRepository(pool, Limits.usual());
      assertThat(authority.use(new Lease(new WorkspaceId(workspace), run(workspace), fence)))
          .isFalse();
    }
  }

  private UUID idle() {
    var workspace = rows.workspace(rows.agent(), "creating", "ready");
    jdbc.sql(
            "update workspaces set last_used_at = clock_timestamp() - interval '2 hours' where id = :id")
        .param("id", workspace)
        .update();
    return workspace;
  }

  private void use(UUID workspace) {
    new WorkspaceRepository(jdbc).used(List.of(new WorkspaceId(workspace)));
  }

  private RunId run(UUID workspace) {
    return new RunId(
        jdbc.sql("select run_id from workspaces where id = :id")
            .param("id", workspace)
            .query(UUID.class)
            .single());
  }

  private static <T> T inAnotherThread(java.util.concurrent.Callable<T> call) {
    var task = new FutureTask<>(call);
    Thread.ofVirtual().start(task);
    try {
      return task.get(10, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
