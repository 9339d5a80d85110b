package mesh.workspace;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import mesh.execution.ExternalRef;
import mesh.execution.catalog.BackendName;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * How a kept sandbox passes from one run to the next. At each moment it belongs to one row, and so
 * to one run: the sandbox's name moves between the rows in one transaction.
 */
@Repository
class ContinuationRepository {

  private final JdbcClient jdbc;

  ContinuationRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /**
   * What came before a run that continues others: of the runs that it continues, else of its
   * conversation and agent, the last that kept a sandbox, else the last that had one. Its row is
   * locked. Empty if the run continues nothing.
   *
   * @param backend where the run's sandboxes go
   */
  Optional<Predecessor> of(RunId run, BackendName backend) {
    return jdbc.sql(
            """
            with recursive chain as (
              select id, continues_run_id, 0 as depth from runs where id = :run
              union all
              select r.id, r.continues_run_id, depth + 1
                from chain
                join runs r on r.id = chain.continues_run_id
               where depth < 100),
            earlier as (
              select id, depth from chain where depth > 0
              union all
              select r.id, 1000
                from runs me
                join runs r on r.conversation_id = me.conversation_id and r.id <> me.id
               where me.id = :run and (r.created_at, r.id) < (me.created_at, me.id))
            select w.id, w.run_id, w.state, w.afterwards <> 'released' as returns,
                   w.backend_kind is distinct from :backend as elsewhere,
                   w.external_ref, w.manifest::text as manifest, w.release_reason,
                   r.ended_at is not null as ended,
                   exists (select
                             from workspace_taints t
                             join workspace_credential_permissions p using (agent_id, provider)
                            where t.workspace_id = w.id
                              and p.revision <> t.permission_revision) as outdated
              from earlier
              join runs r on r.id = earlier.id
              join workspaces w on w.run_id = r.id
             where r.agent_id = (select agent_id from runs where id = :run)
               and w.acquired_at is not null
             order by (w.state = 'held' or w.state = 'releasing' and w.afterwards = 'held') desc,
                      earlier.depth, r.created_at desc, r.id desc
             limit 1
               for no key update of w
            """)
        .param("run", run.value())
        .param("backend", backend.value())
        .query(ContinuationRepository::predecessor)
        .optional();
  }

  /**
   * Passes the kept sandbox of {@code from} to {@code to}, which never had one, with all that ever
   * touched it. Both rows are locked.
   *
   * @return the new fence of {@code to}
   */
  long passOn(WorkspaceId from, WorkspaceId to, UUID maker) {
    var sandbox =
        jdbc.sql(
                """
                select backend_kind, create_key, external_ref, size, egress::text as egress,
                       manifest::text as manifest
                  from workspaces
                 where id = :from and state = 'held'
                """)
            .param("from", from.value())
            .query()
            .singleRow();
    jdbc.sql(
            """
            update workspaces
               set state = 'released', released_at = clock_timestamp(), release_reason = 'continued',
                   create_key = null, external_ref = null, manifest = null, fence = fence + 1
             where id = :from and state = 'held'
            """)
        .param("from", from.value())
        .update();
    long fence =
        jdbc.sql(
                """
                update workspaces
                   set state = 'creating', backend_kind = :backend, create_key = :key,
                       external_ref = :ref, size = :size, egress = cast(:egress as json),
                       manifest = cast(:manifest as json), inherited_from = :from,
                       owner_instance = :maker, creating_at = clock_timestamp(), fence = fence + 1
                 where id = :to and state = 'pending'
                returning fence
                """)
            .param("backend", sandbox.get("backend_kind"))
            .param("key", sandbox.get("create_key"))
            .param("ref", sandbox.get("external_ref"))
            .param("size", sandbox.get("size"))
            .param("egress", sandbox.get("egress"))
            .param("manifest", sandbox.get("manifest"))
            .param("from", from.value())
            .param("to", to.value())
            .param("maker", maker)
            .query(Long.class)
            .single();
    jdbc.sql(
            """
            insert into workspace_taints (workspace_id, agent_id, provider, permission_revision)
            select :to, agent_id, provider, permission_revision
              from workspace_taints
             where workspace_id = :from
                on conflict do nothing
            """)
        .param("from", from.value())
        .param("to", to.value())
        .update();
    return fence;
  }

  /** Begins to wake a run's own sandbox. Its row is locked. Returns the new fence. */
  long wake(WorkspaceId id, UUID maker) {
    return jdbc.sql(
            """
            update workspaces
               set state = 'creating', owner_instance = :maker, creating_at = clock_timestamp(),
                   release_reason = null, fence = fence + 1
             where id = :id and state = 'held'
            returning fence
            """)
        .param("id", id.value())
        .param("maker", maker)
        .query(Long.class)
        .single();
  }

  private static Predecessor predecessor(ResultSet row, int number) throws SQLException {
    var ref = row.getString("external_ref");
    return new Predecessor(
        new WorkspaceId(row.getObject("id", UUID.class)),
        new RunId(row.getObject("run_id", UUID.class)),
        WorkspaceState.of(row.getString("state")),
        row.getBoolean("returns"),
        row.getBoolean("elsewhere"),
        ref == null ? null : ExternalRef.of(ref),
        row.getString("manifest"),
        row.getString("release_reason"),
        row.getBoolean("ended"),
        row.getBoolean("outdated"));
  }

  /**
   * The workspace of an earlier run.
   *
   * @param returns whether a release that is under way leads to sleep
   * @param elsewhere whether its backend is another than the run's
   * @param ref null if its sandbox is gone
   * @param manifest what lay in it when it fell asleep; null if nobody could look
   * @param ended whether its run has ended
   * @param outdated whether what touched it has been changed since
   */
  record Predecessor(
      WorkspaceId workspace,
      RunId run,
      WorkspaceState state,
      boolean returns,
      boolean elsewhere,
      @Nullable ExternalRef ref,
      @Nullable String manifest,
      @Nullable String releaseReason,
      boolean ended,
      boolean outdated) {}
}
