package mesh.workspace;

import mesh.execution.ExternalRef;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * What vendors keep of sandboxes' files. A snapshot may hold a copy of whatever its sandbox was
 * given, so it may be restored only while all of that is still what the agent may have.
 *
 * <p>A capture is three steps: {@link #beginCapture} in a transaction of its own, the vendor's work
 * without one, and {@link #captured}. A change of a permission retires the agent's snapshots in its
 * own transaction, by a trigger; because a capture holds the permissions until its row is
 * committed, either it sees the change, or the change sees it.
 */
@Repository
class SnapshotRepository {

  private final JdbcClient jdbc;

  SnapshotRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * Writes the row of a snapshot that is to be captured, with every authority that touched the
   * sandbox. To be committed before the vendor is called.
   *
   * @return false, and nothing is written, if the workspace has no sandbox or one of those
   *     authorities was changed since
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public boolean beginCapture(SnapshotId id, WorkspaceId workspace) {
    lockPermissions(workspace);
    // A statement of its own after the lock: its snapshot of the database is younger than that.
    int begun =
        jdbc.sql(
                """
                insert into project_snapshots (id, agent_id, workspace_id, backend_kind)
                select :id, w.agent_id, w.id, w.backend_kind
                  from workspaces w
                 where w.id = :workspace and w.state in ('ready', 'held', 'releasing')
                   and w.external_ref is not null
                   and not exists (select
                                     from workspace_taints t
                                     join workspace_credential_permissions p using (agent_id, provider)
                                    where t.workspace_id = w.id
                                      and p.revision <> t.permission_revision)
                """)
            .param("id", id.value())
            .param("workspace", workspace.value())
            .update();
    if (begun == 1) {
      taint(id, workspace);
    }
    return begun == 1;
  }

  private void lockPermissions(WorkspaceId workspace) {
    var _ =
        jdbc.sql(
                """
                select p.provider
                  from workspace_credential_permissions p
                 where p.agent_id = (select agent_id from workspaces where id = :workspace)
                 order by p.provider
                   for share
                """)
            .param("workspace", workspace.value())
            .query(String.class)
            .list();
  }

  private void taint(SnapshotId id, WorkspaceId workspace) {
    jdbc.sql(
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
  }

  /**
   * The vendor has it: from now on it can be restored. Its name there is remembered in any case, so
   * that a retired one is reclaimed.
   *
   * @return false if it was retired meanwhile: then it must never be restored, and goes
   */
  boolean captured(SnapshotId id, ExternalRef ref, long bytes) {
    return jdbc.sql(
            """
            update project_snapshots
               set state = case when state = 'capturing' then 'available' else state end,
                   external_ref = :ref, size_bytes = :bytes
             where id = :id and state in ('capturing', 'retired') and external_ref is null
            returning state = 'available'
            """)
        .param("id", id.value())
        .param("ref", ref.reveal())
        .param("bytes", bytes)
        .query(Boolean.class)
        .optional()
        .orElse(false);
  }
}
