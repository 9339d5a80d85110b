package mesh.workspace;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import mesh.execution.ExternalRef;
import mesh.execution.SandboxKey;
import mesh.execution.catalog.BackendName;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** How rows leave their run and end. Each change is conditional on what it starts from. */
@Repository
class ReleaseRepository {

  private final JdbcClient jdbc;

  ReleaseRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Puts the run's workspace out of reach: what never had a sandbox is released at once, anything
   * else awaits its release.
   */
  void retireOf(RunId run, String reason) {
    jdbc.sql(
            """
            update workspaces
               set state = case when state = 'pending' then 'released' else 'releasing' end,
                   released_at = case when state = 'pending' then clock_timestamp() end,
                   releasing_at = clock_timestamp(), release_next_at = clock_timestamp(),
                   release_reason = :reason
             where run_id = :run and state in ('pending', 'creating', 'ready', 'held', 'lost')
            """)
        .param("run", run.value())
        .param("reason", reason)
        .update();
  }

  /** As {@link #retireOf}; false if there is nothing to release. */
  boolean retire(WorkspaceId id, String reason) {
    return jdbc.sql(
                """
                update workspaces
                   set state = 'releasing', releasing_at = clock_timestamp(),
                       release_next_at = clock_timestamp(), release_reason = :reason
                 where id = :id and state in ('creating', 'ready', 'held', 'lost', 'stranded')
                """)
            .param("id", id.value())
            .param("reason", reason)
            .update()
        == 1;
  }

  /** Retires what a run that has ended still holds: the backstop for a lost event. */
  int retireOfEndedRuns() {
    return jdbc.sql(
            """
            update workspaces w
               set state = case when w.state = 'pending' then 'released' else 'releasing' end,
                   released_at = case when w.state = 'pending' then clock_timestamp() end,
                   releasing_at = clock_timestamp(), release_next_at = clock_timestamp(),
                   release_reason = 'run_ended'
              from runs r
             where r.id = w.run_id and r.ended_at is not null
               and w.state in ('creating', 'ready', 'held', 'lost')
            """)
        .update();
  }

  /**
   * Claims rows that await release until {@code claim} from now; concurrent callers get different
   * ones. Attempts are counted before the call, so that a row that breaks its caller shows.
   */
  List<Releasing> claimReleases(Duration claim, int limit) {
    return jdbc.sql(
            """
            update workspaces
               set release_attempts = release_attempts + 1,
                   release_next_at = now() + :seconds * interval '1 second'
             where id in (
                   select id
                     from workspaces
                    where state = 'releasing' and release_next_at <= now()
                    order by release_next_at
                    limit :limit
                      for update skip locked)
            returning id, backend_kind, create_key, external_ref, release_attempts,
                      releasing_at < now() - interval '120 seconds' as settled
            """)
        .param("seconds", claim.toSeconds())
        .param("limit", limit)
        .query(ReleaseRepository::releasing)
        .list();
  }

  boolean released(WorkspaceId id) {
    return jdbc.sql(
                """
                update workspaces
                   set state = 'released', released_at = clock_timestamp(), release_error = null,
                       compute_seconds = compute_seconds
                         + coalesce(extract(epoch from clock_timestamp() - creating_at), 0)
                 where id = :id and state = 'releasing'
                """)
            .param("id", id.value())
            .update()
        == 1;
  }

  void releaseFailed(WorkspaceId id, String error, Duration retryAfter) {
    jdbc.sql(
            """
            update workspaces
               set release_error = :error,
                   release_next_at = now() + :millis * interval '1 millisecond'
             where id = :id and state = 'releasing'
            """)
        .param("id", id.value())
        .param("error", error)
        .param("millis", retryAfter.toMillis())
        .update();
  }

  void stranded(WorkspaceId id, String error) {
    jdbc.sql(
            """
            update workspaces
               set state = 'stranded', release_error = :error
             where id = :id and state = 'releasing'
            """)
        .param("id", id.value())
        .param("error", error)
        .update();
  }

  /**
   * A row that awaits release.
   *
   * @param key null if it never had a sandbox
   * @param ref null if the vendor's answer was never seen
   * @param settled whether it has waited so long that a late create would have shown
   */
  record Releasing(
      WorkspaceId id,
      @Nullable BackendName backend,
      @Nullable SandboxKey key,
      @Nullable ExternalRef ref,
      int attempts,
      boolean settled) {}

  private static Releasing releasing(ResultSet row, int number) throws SQLException {
    return new Releasing(
        new WorkspaceId(row.getObject("id", UUID.class)),
        name(row.getString("backend_kind")),
        key(row.getString("create_key")),
        ref(row.getString("external_ref")),
        row.getInt("release_attempts"),
        row.getBoolean("settled"));
  }

  private static @Nullable BackendName name(@Nullable String text) {
    return text == null ? null : new BackendName(text);
  }

  private static @Nullable SandboxKey key(@Nullable String text) {
    return text == null ? null : new SandboxKey(text);
  }

  private static @Nullable ExternalRef ref(@Nullable String text) {
    return text == null ? null : ExternalRef.of(text);
  }
}
