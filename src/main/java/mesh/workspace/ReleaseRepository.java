package mesh.workspace;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import mesh.execution.Size;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * How rows leave their run. What needs a release is queued by the database itself, see {@link
 * TeardownRepository}; each row says what it becomes when the vendor has confirmed.
 */
@Repository
class ReleaseRepository {

  private final JdbcClient jdbc;

  ReleaseRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Puts the run's workspace out of its reach: what never had a sandbox is released at once,
   * anything else awaits its release. A sandbox that another run of the conversation may need is
   * kept where its backend can let it sleep.
   *
   * @param hibernating the backends that can
   */
  void retireOf(RunId run, String reason, Collection<String> hibernating, Duration heldFor) {
    jdbc.sql(
            """
            with of_run as (
              select w.id,
                     (r.conversation_id is not null or r.continues_run_id is not null)
                       and w.backend_kind = any(:hibernating) and w.external_ref is not null
                       and (w.state in ('creating', 'ready', 'held')
                            or w.state = 'releasing' and w.afterwards = 'held') as keep
                from workspaces w
                join runs r on r.id = w.run_id
               where w.run_id = :run
                 for no key update of w)
            update workspaces w
               set state = case when w.state = 'pending' then 'released'
                                when w.state = 'held' and keep then 'held'
                                else 'releasing' end,
                   afterwards = case when keep then 'held' else 'released' end,
                   released_at = case when w.state = 'pending' then clock_timestamp() end,
                   held_until = case when w.state = 'held' and keep
                                     then clock_timestamp() + :millis * interval '1 millisecond' end,
                   releasing_at = clock_timestamp(), release_reason = :reason
              from of_run
             where w.id = of_run.id
               and (w.state in ('pending', 'creating', 'ready', 'held', 'lost')
                    or w.state = 'releasing' and w.afterwards <> 'released')
            """)
        .param("run", run.value())
        .param("reason", reason)
        .param("hibernating", hibernating.toArray(String[]::new))
        .param("millis", heldFor.toMillis())
        .update();
  }

  /** Ends one for good, also one on its way to sleep; false if there is nothing to release. */
  boolean retire(WorkspaceId id, String reason) {
    return jdbc.sql(
                """
                update workspaces
                   set state = 'releasing', afterwards = 'released',
                       releasing_at = clock_timestamp(), release_reason = :reason
                 where id = :id
                   and (state in ('creating', 'ready', 'held', 'lost', 'stranded')
                        or state = 'releasing' and afterwards <> 'released')
                """)
            .param("id", id.value())
            .param("reason", reason)
            .update()
        == 1;
  }

  /**
   * Ends a sandbox whose run goes on with another, made by the next call that needs one.
   *
   * @param nextSize of the other; null for the usual one
   */
  boolean replace(Lease lease, String reason, @Nullable Size nextSize) {
    return jdbc.sql(
                """
                update workspaces
                   set state = 'releasing', afterwards = 'lost', next_size = :size,
                       releasing_at = clock_timestamp(), release_reason = :reason
                 where id = :id and fence = :fence and state = 'ready'
                """)
            .param("id", lease.workspace().value())
            .param("fence", lease.fence())
            .param("reason", reason)
            .param("size", nextSize == null ? null : WorkspaceRepository.word(nextSize))
            .update()
        == 1;
  }

  /**
   * Puts sandboxes to sleep that had no operation for so long, or ends them where they cannot
   * sleep; their runs go on. One that was used meanwhile is left: the condition is asked again
   * under the row's lock.
   *
   * @return the runs
   */
  List<RunId> retireIdle(Duration idle, Collection<String> hibernating) {
    return jdbc.sql(
            """
            with idle as (
              select id
                from workspaces
               where state = 'ready' and last_used_at < clock_timestamp() - :millis * interval '1 millisecond'
               order by id
                 for no key update skip locked)
            update workspaces w
               set state = 'releasing', releasing_at = clock_timestamp(), release_reason = 'idle',
                   afterwards = case when backend_kind = any(:hibernating) then 'held' else 'lost' end
              from idle
             where w.id = idle.id and w.state = 'ready'
               and w.last_used_at < clock_timestamp() - :millis * interval '1 millisecond'
            returning w.run_id
            """)
        .param("millis", idle.toMillis())
        .param("hibernating", hibernating.toArray(String[]::new))
        .query((row, _) -> new RunId(row.getObject(1, UUID.class)))
        .list();
  }

  /** Retires what a run that has ended still holds: the backstop for a lost event. */
  int retireOfEndedRuns() {
    return retire(
        """
        select w.id
          from workspaces w
          join runs r on r.id = w.run_id
         where w.state in ('creating', 'ready', 'held', 'lost') and r.ended_at is not null
           and (w.state <> 'held' or w.held_until is null)
        """,
        "run_ended",
        Duration.ZERO);
  }

  /** Retires what no run came for. */
  int retireExpired() {
    return retire(
        "select w.id from workspaces w where w.state = 'held' and w.held_until < clock_timestamp()",
        "hold_expired",
        Duration.ZERO);
  }

  /** Retires what is older than a run can be. */
  int retireOlderThan(Duration longestRun) {
    return retire(
        """
        select w.id
          from workspaces w
         where w.state in ('creating', 'ready', 'held', 'lost') and w.held_until is null
           and coalesce(w.acquired_at, w.creating_at)
                 < clock_timestamp() - :millis * interval '1 millisecond'
        """,
        "outlived_longest_run",
        longestRun);
  }

  private int retire(String which, String reason, Duration age) {
    return jdbc.sql(
            "with chosen as ("
                + which
                + """
                 order by w.id
                   for no key update of w skip locked)
                update workspaces w
                   set state = 'releasing', afterwards = 'released',
                       releasing_at = clock_timestamp(), release_reason = :reason
                  from chosen
                 where w.id = chosen.id
                """)
        .param("reason", reason)
        .param("millis", age.toMillis())
        .update();
  }

  /** The backends of what could not be released. */
  List<String> strandedOn() {
    return jdbc.sql("select distinct backend_kind from workspaces where state = 'stranded'")
        .query((row, _) -> row.getString(1))
        .list();
  }

  /** Tries again what was stranded on a backend that can be reached now. */
  int retryStranded(String backend) {
    return jdbc.sql(
            """
            update workspaces
               set state = 'releasing', releasing_at = clock_timestamp()
             where state = 'stranded' and backend_kind = :backend
            """)
        .param("backend", backend)
        .update();
  }

  /** A person says that it is gone. False if it was not stranded. */
  boolean releasedByHand(WorkspaceId id) {
    return jdbc.sql(
                """
                update workspaces
                   set state = 'released', released_at = clock_timestamp(),
                       release_reason = 'released_by_hand'
                 where id = :id and state = 'stranded'
                """)
            .param("id", id.value())
            .update()
        == 1;
  }
}
