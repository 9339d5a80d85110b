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
import org.springframework.transaction.annotation.Transactional;

/**
 * The queue of sandboxes that must go. Rows are put into it by a trigger, in the transaction that
 * puts a workspace out of reach. A claim has a fence: whoever lost it to another can neither finish
 * nor postpone the row any more.
 */
@Repository
class TeardownRepository {

  /** Nobody is at it: a claim ends with its time, and with the instance that made it. */
  private static final String UNCLAIMED =
      """
      (claimed_until is null or claimed_until < clock_timestamp()
       or exists (select
                    from instances i
                   where i.id = claimed_by and i.lease_until < clock_timestamp()))
      """;

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
               and %s
             group by 1
            """
                .formatted(UNCLAIMED))
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
                 and %s
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
            returning t.workspace_id, t.fence, t.attempts, w.run_id, w.backend_kind,
                      w.create_key, w.external_ref, w.afterwards = 'held' as keep,
                      t.requested_at < clock_timestamp() - interval '120 seconds' as settled
            """
                .formatted(UNCLAIMED))
        .param("backend", backend)
        .param("by", by)
        .param("millis", claim.toMillis())
        .param("limit", limit)
        .query(TeardownRepository::teardown)
        .list();
  }

  /**
   * The sandbox is gone: released, or lost to a run that lives on and may have another. False, and
   * nothing changes, if the claim was lost.
   *
   * @param reported how long it ran by the backend's own count; null if it does not say
   */
  boolean done(Teardown teardown, @Nullable Duration reported) {
    return jdbc.sql(
                """
                with of_row as (
                  select w.id, w.afterwards <> 'released' and r.ended_at is null as lost
                    from workspaces w
                    join runs r on r.id = w.run_id
                   where w.id = :id
                     for no key update of w),
                becomes as (
                  update workspace_teardowns t
                     set done_at = clock_timestamp(), last_error = null, claimed_until = null
                    from of_row
                   where t.workspace_id = of_row.id and t.fence = :fence and t.done_at is null
                  returning of_row.id, of_row.lost)
                update workspaces w
                   set state = case when becomes.lost then 'lost' else 'released' end,
                       released_at = case when becomes.lost then null else clock_timestamp() end,
                       owner_instance = null,
                       reported_seconds = coalesce(:reported + coalesce(reported_seconds, 0), reported_seconds)
                  from becomes
                 where w.id = becomes.id and w.state = 'releasing'
                """)
            .param("id", teardown.workspace().value())
            .param("fence", teardown.fence())
            .param(
                "reported",
                reported == null ? null : reported.toMillis() / 1000.0,
                java.sql.Types.DOUBLE)
            .update()
        == 1;
  }

  /**
   * The sandbox sleeps, for its run while that lives, else for {@code heldFor}. False, and nothing
   * changes, if the claim was lost, or if it must not be kept any more; it is then due at once.
   *
   * @param manifest what lies in it; null if nobody could look
   */
  @Transactional
  boolean held(Teardown teardown, @Nullable String manifest, Duration heldFor) {
    // Permissions before the workspace, as everywhere: a change is either seen here or sees this.
    jdbc.sql(
            """
            select p.revision
              from workspace_credential_permissions p
             where p.agent_id = (select agent_id from workspaces where id = :id)
             order by p.provider
               for share of p
            """)
        .param("id", teardown.workspace().value())
        .query(Long.class)
        .list();
    return jdbc.sql(
                """
                with of_row as (
                  select w.id, r.ended_at is not null as ended
                    from workspaces w
                    join runs r on r.id = w.run_id
                   where w.id = :id and w.state = 'releasing' and w.afterwards = 'held'
                     for no key update of w),
                done as (
                  update workspace_teardowns t
                     set done_at = clock_timestamp(), last_error = null, claimed_until = null
                    from of_row
                   where t.workspace_id = of_row.id and t.fence = :fence and t.done_at is null
                  returning of_row.id, of_row.ended)
                update workspaces w
                   set state = 'held', manifest = cast(:manifest as json), owner_instance = null,
                       held_until = case when done.ended
                                         then clock_timestamp() + :millis * interval '1 millisecond' end
                  from done
                 where w.id = done.id
                """)
            .param("id", teardown.workspace().value())
            .param("fence", teardown.fence())
            .param("manifest", manifest)
            .param("millis", heldFor.toMillis())
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
        row.getString("backend_kind"),
        row.getString("create_key"),
        ref(row.getString("external_ref")),
        row.getBoolean("keep"),
        row.getBoolean("settled"));
  }

  private static @Nullable ExternalRef ref(@Nullable String text) {
    return text == null ? null : ExternalRef.of(text);
  }
}
