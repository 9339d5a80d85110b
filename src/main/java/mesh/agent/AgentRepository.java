package mesh.agent;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import mesh.web.Cursor;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class AgentRepository {

  private static final String COLUMNS =
      """
      select id, slug, name, runtime_backend, model, max_concurrent_workspaces, max_compute_seconds,
             created_at, updated_at, deleted_at
        from runtime_agents
      """;

  private final JdbcClient jdbc;

  AgentRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** False if another agent has the slug. */
  boolean insert(AgentId id, AgentDraft draft, Optional<String> connection) {
    return jdbc.sql(
                """
                insert into runtime_agents
                       (id, slug, name, runtime_backend, model, model_connection,
                        max_concurrent_workspaces, max_compute_seconds)
                values (:id, :slug, :name, :backend, cast(:model as json), :connection, :workspaces, :seconds)
                on conflict (slug) where deleted_at is null do nothing
                """)
            .param("id", id.value())
            .param("slug", draft.slug())
            .param("name", draft.name())
            .param("backend", draft.runtimeBackend())
            .param("model", draft.model())
            .param("connection", connection.orElse(null))
            .param("workspaces", draft.maxConcurrentWorkspaces())
            .param("seconds", draft.maxComputeSeconds())
            .update()
        == 1;
  }

  /** Also one that was deleted. */
  Optional<Agent> find(AgentId id) {
    return jdbc.sql(COLUMNS + " where id = :id")
        .param("id", id.value())
        .query(AgentRepository::agent)
        .optional();
  }

  Optional<Agent> find(String slug) {
    return jdbc.sql(COLUMNS + " where slug = :slug and deleted_at is null")
        .param("slug", slug)
        .query(AgentRepository::agent)
        .optional();
  }

  /** Nobody else changes the agent until the transaction ends. */
  Optional<Agent> lock(String slug) {
    return jdbc.sql(COLUMNS + " where slug = :slug and deleted_at is null for update")
        .param("slug", slug)
        .query(AgentRepository::agent)
        .optional();
  }

  List<Agent> newest(@Nullable Cursor cursor, int limit) {
    String after = cursor == null ? "" : " and (created_at, id) < (:at, :id)";
    JdbcClient.StatementSpec query =
        jdbc.sql(
                COLUMNS
                    + " where deleted_at is null"
                    + after
                    + " order by created_at desc, id desc limit :limit")
            .param("limit", limit);
    if (cursor != null) {
      query = query.param("at", Timestamp.from(cursor.at())).param("id", cursor.uuid());
    }
    return query.query(AgentRepository::agent).list();
  }

  void update(AgentId id, AgentDraft draft, Optional<String> connection) {
    jdbc.sql(
            """
            update runtime_agents
               set name = :name, runtime_backend = :backend, model = cast(:model as json),
                   model_connection = :connection,
                   max_concurrent_workspaces = :workspaces, max_compute_seconds = :seconds,
                   updated_at = now()
             where id = :id
            """)
        .param("id", id.value())
        .param("name", draft.name())
        .param("backend", draft.runtimeBackend())
        .param("model", draft.model())
        .param("connection", connection.orElse(null))
        .param("workspaces", draft.maxConcurrentWorkspaces())
        .param("seconds", draft.maxComputeSeconds())
        .update();
  }

  void delete(AgentId id) {
    jdbc.sql(
            """
            update runtime_agents
               set deleted_at = now(), updated_at = now(), model_connection = null
             where id = :id and deleted_at is null
            """)
        .param("id", id.value())
        .update();
  }

  /** The agents that were pinned to it, by slug. */
  List<Unpinned> clearPins(String backend) {
    return jdbc.sql(
            """
            with cleared as (
              update runtime_agents
                 set runtime_backend = null, updated_at = now()
               where runtime_backend = :backend and deleted_at is null
              returning id, slug
            )
            select id, slug from cleared order by slug
            """)
        .param("backend", backend)
        .query(
            (row, number) -> new Unpinned(row.getObject("id", UUID.class), row.getString("slug")))
        .list();
  }

  record Unpinned(UUID id, String slug) {}

  List<Pinned> pinned() {
    return jdbc.sql(
            """
            select runtime_backend, slug
              from runtime_agents
             where runtime_backend is not null and deleted_at is null
             order by runtime_backend, slug
            """)
        .query((row, number) -> new Pinned(row.getString("runtime_backend"), row.getString("slug")))
        .list();
  }

  record Pinned(String backend, String slug) {}

  List<Connected> connected() {
    return jdbc.sql(
            """
            select model_connection, slug
              from runtime_agents
             where model_connection is not null
             order by model_connection, slug
            """)
        .query((row, number) ->
            new Connected(row.getString("model_connection"), row.getString("slug")))
        .list();
  }

  record Connected(String connection, String slug) {}

  private static Agent agent(ResultSet row, int number) throws SQLException {
    Timestamp deletedAt = row.getTimestamp("deleted_at");
    return new Agent(
        new AgentId(row.getObject("id", UUID.class)),
        new AgentDraft(
            row.getString("slug"),
            row.getString("name"),
            row.getString("runtime_backend"),
            row.getString("model"),
            row.getInt("max_concurrent_workspaces"),
            row.getInt("max_compute_seconds")),
        row.getTimestamp("created_at").toInstant(),
        row.getTimestamp("updated_at").toInstant(),
        deletedAt == null ? null : deletedAt.toInstant());
  }
}
