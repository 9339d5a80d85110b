package mesh.workspace;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Locale;
import java.util.UUID;
import mesh.agent.AgentId;
import mesh.execution.ExternalRef;
import mesh.execution.SandboxKey;
import mesh.execution.Size;
import mesh.execution.catalog.BackendName;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * What {@link WorkspaceClaims} locks and reads to decide who makes a run's sandbox, and the
 * decision itself. All within its transaction.
 */
@Repository
class ClaimRepository {

  private final JdbcClient jdbc;

  ClaimRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Whether the run lives; it cannot end before the transaction does. */
  boolean lockLiveRun(RunId run) {
    return jdbc.sql("select 1 from runs where id = :run and ended_at is null for share")
        .param("run", run.value())
        .query(Integer.class)
        .optional()
        .isPresent();
  }

  /** Serialises acquisitions of one agent. */
  LockedAgent lockAgentOf(RunId run) {
    return jdbc.sql(
            """
            select a.id, a.max_concurrent_workspaces
              from runtime_agents a
              join runs r on r.agent_id = a.id
             where r.id = :run
               for no key update of a
            """)
        .param("run", run.value())
        .query(
            (row, _) -> new LockedAgent(new AgentId(row.getObject(1, UUID.class)), row.getInt(2)))
        .single();
  }

  /**
   * @param limit how many workspaces it may have at once
   */
  record LockedAgent(AgentId id, int limit) {}

  /** Remembers whose authority touches the sandbox: what the run was issued. */
  void taint(WorkspaceId id) {
    jdbc.sql(
            """
            insert into workspace_taints (workspace_id, agent_id, provider, permission_revision)
            select w.id, i.agent_id, i.provider, i.permission_revision
              from workspaces w
              join workspace_credential_issuances i on i.run_id = w.run_id
             where w.id = :id
                on conflict do nothing
            """)
        .param("id", id.value())
        .update();
  }

  /** How many sandboxes of the run's agent exist or may exist. */
  int liveOfAgentOf(RunId run) {
    return jdbc.sql(
            """
            select count(*)
              from workspaces
             where agent_id = (select agent_id from runs where id = :run)
               and state in ('creating', 'ready', 'releasing')
            """)
        .param("run", run.value())
        .query(Integer.class)
        .single();
  }

  /** The run's row, locked. */
  WorkspaceRow lock(RunId run, UUID instance) {
    return jdbc.sql(
            """
            select w.id, w.state, w.fence, w.generation, w.backend_kind, w.create_key,
                   w.external_ref, w.size, w.next_size, w.egress::text as egress, w.release_reason,
                   w.afterwards,
                   w.manifest::text as manifest, w.resume::text as resume,
                   w.owner_instance is not null
                     and w.owner_instance <> :instance
                     and exists (select
                                   from instances i
                                  where i.id = w.owner_instance
                                    and i.lease_until > clock_timestamp()) as maker_alive,
                   not exists (select
                                 from instances i
                                where i.id = w.owner_instance
                                  and i.lease_until > clock_timestamp()) as abandoned,
                   coalesce((select b.run_id from workspaces b where b.id = w.inherited_from), w.run_id)
                     as left_by
              from workspaces w
             where w.run_id = :run
               for no key update of w
            """)
        .param("run", run.value())
        .param("instance", instance)
        .query(ClaimRepository::row)
        .single();
  }

  /**
   * Begins the making of a sandbox, from pending or lost. Returns the new fence.
   *
   * @param resume what its run is to be told of what came before; null if nothing
   */
  long startCreating(
      WorkspaceId id,
      BackendName backend,
      SandboxKey key,
      int generation,
      Size size,
      Egress egress,
      @Nullable String resume,
      UUID maker) {
    return jdbc.sql(
            """
            update workspaces
               set state = 'creating', backend_kind = :backend, create_key = :key,
                   generation = :generation, size = :size, next_size = null,
                   egress = cast(:egress as json), external_ref = null, manifest = null,
                   resume = cast(:resume as json), owner_instance = :maker,
                   creating_at = clock_timestamp(), release_reason = null, fence = fence + 1
             where id = :id and state in ('pending', 'lost')
            returning fence
            """)
        .param("resume", resume)
        .param("id", id.value())
        .param("backend", backend.value())
        .param("key", key.value())
        .param("generation", generation)
        .param("size", WorkspaceRepository.word(size))
        .param("egress", egress.json())
        .param("maker", maker)
        .query(Long.class)
        .single();
  }

  /**
   * Takes over a making that nobody is at. Returns the new fence.
   *
   * @param asksAgain whether the vendor is asked once more: its answer may then come as late as the
   *     first might have
   */
  long takeOverCreating(WorkspaceId id, UUID maker, boolean asksAgain) {
    return jdbc.sql(
            """
            update workspaces
               set owner_instance = :maker, fence = fence + 1,
                   creating_at = case when :again then clock_timestamp() else creating_at end
             where id = :id and state = 'creating'
            returning fence
            """)
        .param("again", asksAgain)
        .param("id", id.value())
        .param("maker", maker)
        .query(Long.class)
        .single();
  }

  private static WorkspaceRow row(ResultSet row, int number) throws SQLException {
    return new WorkspaceRow(
        new WorkspaceId(row.getObject("id", UUID.class)),
        WorkspaceState.of(row.getString("state")),
        row.getLong("fence"),
        row.getInt("generation"),
        name(row.getString("backend_kind")),
        row.getString("create_key"),
        ref(row.getString("external_ref")),
        size(row.getString("size")),
        size(row.getString("next_size")),
        row.getString("egress"),
        row.getString("release_reason"),
        !row.getString("afterwards").equals("released"),
        row.getString("manifest"),
        row.getString("resume"),
        new RunId(row.getObject("left_by", UUID.class)),
        row.getBoolean("maker_alive"),
        row.getBoolean("abandoned"));
  }

  private static @Nullable Size size(@Nullable String word) {
    return word == null ? null : Size.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static @Nullable BackendName name(@Nullable String text) {
    return text == null ? null : new BackendName(text);
  }

  private static @Nullable ExternalRef ref(@Nullable String text) {
    return text == null ? null : ExternalRef.of(text);
  }
}
