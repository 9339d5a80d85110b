package mesh.workspace;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import mesh.execution.ExternalRef;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * The queue of sandboxes that must go. Rows are put into it by a trigger, in the transaction that
 * puts a workspace out of reach. A claim has a fence: whoever lost it to another can neither finish
 * nor postpone the row any more.
 */
@Repository
class TeardownRepository {

  private final JdbcClient jdbc;

  TeardownRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** How many are due, by backend; the empty name is for those that never got one. */
  Map<String, Integer> due() {
    return jdbc
        .sql(
            """
            select coalesce(backend_kind, '') as backend, count(*) as due
              from workspace_teardowns
             where done_at is null and next_attempt_at <= clock_timestamp()
               and (claimed_until is null or claimed_until < clock_timestamp())
             group by 1
            """)
        .query((row, _) -> Map.entry(row.getString("backend"), row.getInt("due")))
        .list()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /**
   * Claims rows of one backend until {@code claim} from now; concurrent callers get different ones.
   * Attempts are counted before the call, so that a row that breaks its caller shows.
   *
   * @param backend as in {@link #due}
   */
  List<Teardown> claim(String backend, UUID by, Duration claim, int limit) {
    return jdbc.sql(
            """
            with claimed as (
              select workspace_id
                from workspace_teardowns
               where done_at is null and next_attempt_at <= clock_timestamp()
                 and (claimed_until is null or claimed_until < clock_timestamp())
                 and coalesce(backend_kind, '') = :backend
               order by next_attempt_at
               limit :limit
                 for update skip locked)
            update workspace_teardowns t
               set claimed_by = :by, claimed_until = clock_timestamp() + :millis * interval '1 millisecond',
                   fence = t.fence + 1, attempts = t.attempts + 1
              from claimed
              join workspaces w on w.id = claimed.workspace_id
             where t.workspace_id = claimed.workspace_id
            returning t.workspace_id, t.fence, t.attempts, t.reason, w.run_id, w.backend_kind,
                      w.create_key, w.external_ref,
                      t.requested_at < clock_timestamp() - interval '120 seconds' as settled
            """)
        .param("backend", backend)
        .param("by", by)
        .param("millis", claim.toMillis())
        .param("limit", limit)
        .query(TeardownRepository::teardown)
        .list();
  }

  /** The sandbox is gone. False, and nothing changes, if the claim was lost. */
  boolean done(Teardown teardown) {
    return jdbc.sql(
                """
                with of_row as (
                  select id from workspaces where id = :id for no key update),
                done as (
                  update workspace_teardowns t
                     set done_at = clock_timestamp(), last_error = null, claimed_until = null
                    from of_row
                   where t.workspace_id = of_row.id and t.fence = :fence and t.done_at is null
                  returning t.workspace_id)
                update workspaces w
                   set state = 'released', released_at = clock_timestamp(),
                       compute_seconds = compute_seconds
                         + coalesce(extract(epoch from clock_timestamp() - creating_at), 0)
                  from done
                 where w.id = done.workspace_id and w.state = 'releasing'
                """)
            .param("id", teardown.workspace().value())
            .param("fence", teardown.fence())
            .update()
        == 1;
  }

  /** Tries again later. False, and nothing changes, if the claim was lost. */
  boolean postpone(Teardown teardown, String error, Duration retryAfter) {
    return jdbc.sql(
                """
                update workspace_teardowns
                   set last_error = :error, claimed_until = null,
                       next_attempt_at = clock_timestamp() + :millis * interval '1 millisecond'
                 where workspace_id = :id and fence = :fence and done_at is null
                """)
            .param("id", teardown.workspace().value())
            .param("fence", teardown.fence())
            .param("error", error)
            .param("millis", retryAfter.toMillis())
            .update()
        == 1;
  }

  /** Only a person can end it. False, and nothing changes, if the claim was lost. */
  boolean strand(Teardown teardown, String error) {
    return jdbc.sql(
                """
                with of_row as (
                  select id from workspaces where id = :id for no key update),
                given_up as (
                  update workspace_teardowns t
                     set done_at = clock_timestamp(), last_error = :error, claimed_until = null
                    from of_row
                   where t.workspace_id = of_row.id and t.fence = :fence and t.done_at is null
                  returning t.workspace_id)
                update workspaces w
                   set state = 'stranded'
                  from given_up
                 where w.id = given_up.workspace_id and w.state = 'releasing'
                """)
            .param("id", teardown.workspace().value())
            .param("fence", teardown.fence())
            .param("error", error)
            .update()
        == 1;
  }

  private static Teardown teardown(ResultSet row, int number) throws SQLException {
    return new Teardown(
        new WorkspaceId(row.getObject("workspace_id", UUID.class)),
        new mesh.run.RunId(row.getObject("run_id", UUID.class)),
        row.getLong("fence"),
        row.getInt("attempts"),
        row.getString("reason"),
        row.getString("backend_kind"),
        row.getString("create_key"),
        ref(row.getString("external_ref")),
        row.getBoolean("settled"));
  }

  private static @Nullable ExternalRef ref(@Nullable String text) {
    return text == null ? null : ExternalRef.of(text);
  }
}
