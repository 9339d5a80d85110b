package mesh.workspace;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import mesh.activity.ActorId;
import mesh.agent.AgentId;
import mesh.execution.ExternalRef;
import mesh.execution.SandboxKey;
import mesh.execution.Size;
import mesh.execution.catalog.BackendName;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** How rows come to a sandbox and lose it. Each change is conditional on what it starts from. */
@Repository
class WorkspaceRepository {

  private final JdbcClient jdbc;

  WorkspaceRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insertPending(WorkspaceId id, RunId run, AgentId agent, ActorId createdBy) {
    jdbc.sql(
            """
            insert into workspaces (id, run_id, agent_id, created_by_actor_id)
            values (:id, :run, :agent, :actor)
            on conflict (run_id) do nothing
            """)
        .param("id", id.value())
        .param("run", run.value())
        .param("agent", agent.value())
        .param("actor", createdBy.value())
        .update();
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
                   w.external_ref, w.size, w.next_size, w.release_reason, w.afterwards,
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
        .query(WorkspaceRepository::row)
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
      @Nullable String resume,
      UUID maker) {
    return jdbc.sql(
            """
            update workspaces
               set state = 'creating', backend_kind = :backend, create_key = :key,
                   generation = :generation, size = :size, next_size = null,
                   egress = '{"mode":"open"}', external_ref = null, manifest = null,
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
        .param("size", word(size))
        .param("maker", maker)
        .query(Long.class)
        .single();
  }

  /** Takes over a making that nobody is at. Returns the new fence. */
  long takeOverCreating(WorkspaceId id, UUID maker) {
    return jdbc.sql(
            """
            update workspaces
               set owner_instance = :maker, fence = fence + 1
             where id = :id and state = 'creating'
            returning fence
            """)
        .param("id", id.value())
        .param("maker", maker)
        .query(Long.class)
        .single();
  }

  /**
   * False if the caller lost the row meanwhile: then what it made must go.
   *
   * @param resume what its run is told of what came before; null to leave that as it is
   */
  boolean ready(Lease lease, ExternalRef ref, @Nullable String resume) {
    return jdbc.sql(
                """
                update workspaces
                   set state = 'ready', external_ref = :ref,
                       acquired_at = coalesce(acquired_at, clock_timestamp()),
                       last_used_at = clock_timestamp(), manifest = null,
                       resume = coalesce(cast(:resume as json), resume)
                 where id = :id and fence = :fence and state = 'creating'
                """)
            .param("id", lease.workspace().value())
            .param("fence", lease.fence())
            .param("ref", ref.reveal())
            .param("resume", resume)
            .update()
        == 1;
  }

  /** The vendor refused for good, so there is no sandbox: back to where it was. */
  void creationRefused(Lease lease) {
    jdbc.sql(
            """
            update workspaces
               set state = 'pending', backend_kind = null, create_key = null, size = null,
                   egress = null, owner_instance = null, creating_at = null
             where id = :id and fence = :fence and state = 'creating' and external_ref is null
            """)
        .param("id", lease.workspace().value())
        .param("fence", lease.fence())
        .update();
  }

  /**
   * What was begun did not show for so long that it would have: the next sandbox gets another name,
   * so that this one, should it come after all, is nobody's.
   */
  void creationForgotten(Lease lease) {
    jdbc.sql(
            """
            update workspaces
               set state = 'pending', generation = generation + 1, backend_kind = null,
                   create_key = null, size = null, egress = null, owner_instance = null,
                   creating_at = null
             where id = :id and fence = :fence and state = 'creating' and external_ref is null
            """)
        .param("id", lease.workspace().value())
        .param("fence", lease.fence())
        .update();
  }

  /** Nobody is at the making any more, but a sandbox may exist: the next call follows it up. */
  void creationAbandoned(Lease lease) {
    jdbc.sql(
            """
            update workspaces
               set owner_instance = null
             where id = :id and fence = :fence and state = 'creating'
            """)
        .param("id", lease.workspace().value())
        .param("fence", lease.fence())
        .update();
  }

  /** Remembers the sandbox of a row that is on its way out, so that the release finds it. */
  void madeTooLate(Lease lease, SandboxKey key, ExternalRef ref) {
    jdbc.sql(
            """
            with found as (
              update workspaces
                 set external_ref = :ref
               where id = :id and state = 'releasing' and create_key = :key and external_ref is null
              returning id)
            update workspace_teardowns t
               set next_attempt_at = clock_timestamp()
              from found
             where t.workspace_id = found.id and t.done_at is null
            """)
        .param("id", lease.workspace().value())
        .param("key", key.value())
        .param("ref", ref.reveal())
        .update();
  }

  /** Whether the row, or its release, still sees to the sandbox of that key. */
  boolean names(WorkspaceId id, SandboxKey key) {
    return jdbc.sql(
            """
            select 1
              from workspaces
             where id = :id and create_key = :key and state not in ('released', 'lost', 'pending')
            """)
        .param("id", id.value())
        .param("key", key.value())
        .query(Integer.class)
        .optional()
        .isPresent();
  }

  /** The vendor says the sandbox is gone. */
  void lost(Lease lease, String reason) {
    jdbc.sql(
            """
            update workspaces
               set state = 'lost', release_reason = :reason, owner_instance = null
             where id = :id and fence = :fence and state in ('creating', 'ready')
            """)
        .param("id", lease.workspace().value())
        .param("fence", lease.fence())
        .param("reason", reason)
        .update();
  }

  /** Workspaces with an operation right now: not idle. One query for all. */
  void used(Collection<WorkspaceId> ids) {
    jdbc.sql(
            """
            update workspaces
               set last_used_at = clock_timestamp()
             where id = any(:ids) and state = 'ready'
            """)
        .param("ids", ids.stream().map(WorkspaceId::value).sorted().toArray(UUID[]::new))
        .update();
  }

  /** Of a workspace that has a sandbox. */
  Size sizeOf(WorkspaceId id) {
    return jdbc.sql("select size from workspaces where id = :id")
        .param("id", id.value())
        .query((row, _) -> Size.valueOf(row.getString(1).toUpperCase(Locale.ROOT)))
        .single();
  }

  /** The backend the row names; empty while pending. */
  Optional<BackendName> backendOf(RunId run) {
    return jdbc.sql("select backend_kind from workspaces where run_id = :run")
        .param("run", run.value())
        .query((row, _) -> Optional.ofNullable(row.getString("backend_kind")))
        .optional()
        .flatMap(kind -> kind)
        .map(BackendName::new);
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
        row.getString("release_reason"),
        !row.getString("afterwards").equals("released"),
        row.getString("manifest"),
        row.getString("resume"),
        new RunId(row.getObject("left_by", UUID.class)),
        row.getBoolean("maker_alive"),
        row.getBoolean("abandoned"));
  }

  /** As the column has it. */
  static String word(Size size) {
    return size.name().toLowerCase(Locale.ROOT);
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
