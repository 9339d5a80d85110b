package mesh.workspace;

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

  /** As the column has it. */
  static String word(Size size) {
    return size.name().toLowerCase(Locale.ROOT);
  }
}
