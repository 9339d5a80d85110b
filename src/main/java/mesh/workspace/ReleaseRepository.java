package mesh.workspace;

import mesh.run.RunId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * How rows leave their run. What needs a release is queued by the database itself, see {@link
 * TeardownRepository}.
 */
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
                   releasing_at = clock_timestamp(), release_reason = :reason
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
                       release_reason = :reason
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
            with ended as (
              select w.id
                from workspaces w
                join runs r on r.id = w.run_id
               where r.ended_at is not null and w.state in ('creating', 'ready', 'held', 'lost')
               order by w.id
                 for no key update of w skip locked)
            update workspaces w
               set state = 'releasing', releasing_at = clock_timestamp(),
                   release_reason = 'run_ended'
              from ended
             where w.id = ended.id
            """)
        .update();
  }
}
