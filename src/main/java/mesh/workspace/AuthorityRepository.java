package mesh.workspace;

import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import mesh.database.SidePool;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Whether sandboxes may be used, on connections of its own. */
@Repository
class AuthorityRepository {

  private final JdbcClient jdbc;
  private final long quietMillis;

  AuthorityRepository(@Qualifier("authorityPool") SidePool pool, WorkspaceLimits limits) {
    this.jdbc = pool.jdbc();
    this.quietMillis = limits.idle().toMillis() / 2;
  }

  /**
   * For each workspace, in one query: what its row says now. A workspace may act while its run
   * lives, its row is ready, and no authority that touched its sandbox has been changed since.
   *
   * @return nothing for a workspace that has no row
   */
  Map<WorkspaceId, Standing> standing(Collection<WorkspaceId> workspaces) {
    return jdbc
        .sql(
            """
            select w.id, w.fence, w.state = 'ready' and r.ended_at is null as live,
                   coalesce(w.last_used_at < clock_timestamp() - :quiet * interval '1 millisecond', false)
                     as quiet,
                   coalesce(w.release_reason = 'authorization_changed', false)
                     or exists (select
                                  from workspace_taints t
                                  join workspace_credential_permissions p using (agent_id, provider)
                                 where t.workspace_id = w.id
                                   and p.revision <> t.permission_revision) as outdated
              from workspaces w
              join runs r on r.id = w.run_id
             where w.id = any(:ids)
            """)
        .param("ids", workspaces.stream().map(WorkspaceId::value).toArray(UUID[]::new))
        .param("quiet", quietMillis)
        .query((row, _) ->
            Map.entry(
                new WorkspaceId(row.getObject("id", UUID.class)),
                new Standing(
                    row.getLong("fence"),
                    row.getBoolean("live"),
                    row.getBoolean("quiet"),
                    row.getBoolean("outdated"))))
        .list()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** Says that a workspace is in use; false if it may not be used any more. */
  boolean use(Lease lease) {
    return jdbc.sql(
                """
                update workspaces
                   set last_used_at = clock_timestamp()
                 where id = :id and fence = :fence and state = 'ready'
                """)
            .param("id", lease.workspace().value())
            .param("fence", lease.fence())
            .update()
        == 1;
  }

  /**
   * @param live whether the row is ready and its run lives
   * @param quiet whether it was not used for half the time after which it is idle
   * @param outdated whether what the run was issued has been changed since
   */
  record Standing(long fence, boolean live, boolean quiet, boolean outdated) {

    boolean supports(Lease lease) {
      return live && !outdated && fence == lease.fence();
    }
  }
}
