package mesh.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import mesh.Await;
import mesh.credential.Race;
import mesh.credential.Rows;
import mesh.database.TestDatabase;
import mesh.execution.ExternalRef;
import mesh.execution.SandboxKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Who ends a sandbox and who finds one that was made too late wait for each other. */
class ReleaseLockOrderTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final TestDatabase DATABASE = TestDatabase.fresh();

  @AfterAll
  static void drop() {
    DATABASE.close();
  }

  @Test
  void aReleaseIsFinishedWhileItsSandboxTurnsUp() throws Exception {
    var jdbc = DATABASE.jdbc();
    var rows = new Rows(jdbc);
    var queue = new TeardownRepository(jdbc);
    var workspaces = new WorkspaceRepository(jdbc);
    var id = rows.workspace(rows.agent(), "creating");
    jdbc.sql("update workspaces set external_ref = null where id = :id").param("id", id).update();
    jdbc.sql("update workspaces set state = 'releasing', release_reason = 'test' where id = :id")
        .param("id", id)
        .update();
    var teardown = queue.claim("fake", UUID.randomUUID(), Duration.ofMinutes(1), 1).getFirst();
    var lease = new Lease(teardown.workspace(), teardown.run(), 0);
    var key = new SandboxKey(String.valueOf(teardown.key()));
    var done = new FutureTask<>(() -> queue.done(teardown, null));
    var late =
        new FutureTask<>(() -> {
          workspaces.madeTooLate(lease, key, ExternalRef.of("late"));
          return true;
        });

    // Another instance looks at the queue meanwhile.
    DATABASE
        .transactions()
        .executeWithoutResult(_ -> {
          var _ =
              jdbc.sql("select fence from workspace_teardowns where workspace_id = :id for update")
                  .param("id", id)
                  .query(Long.class)
                  .single();
          Thread.ofVirtual().start(done);
          var _ = Await.until(PATIENCE, () -> Race.waitingFor(jdbc), waiting -> waiting == 1);
          Thread.ofVirtual().start(late);
          var _ = Await.until(PATIENCE, () -> Race.waitingFor(jdbc), waiting -> waiting == 2);
        });

    assertThat(done.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(late.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(rows.state(id)).isEqualTo("released");
  }
}
