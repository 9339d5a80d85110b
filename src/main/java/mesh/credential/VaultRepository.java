package mesh.credential;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import mesh.activity.ActorId;
import mesh.agent.AgentId;
import mesh.run.RunId;
import mesh.secret.SealedText;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class VaultRepository {

  private final JdbcClient jdbc;

  VaultRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  List<VaultEntry> list(AgentId agent) {
    return jdbc.sql(
            """
            select v.name, v.short, v.set_at, a.name as set_by
              from agent_vault_entries v
              join actors a on a.id = v.set_by
             where v.agent_id = :agent
             order by v.name
            """)
        .param("agent", agent.value())
        .query((row, _) ->
            new VaultEntry(
                row.getString("name"),
                VaultNames.variable(row.getString("name")),
                row.getBoolean("short"),
                row.getObject("set_at", OffsetDateTime.class).toInstant(),
                row.getString("set_by")))
        .list();
  }

  /** True if there was none of this name. */
  boolean put(AgentId agent, String name, SealedText value, boolean isShort, ActorId by) {
    return jdbc.sql(
            """
            insert into agent_vault_entries as v (agent_id, name, value, short, set_by)
            values (:agent, :name, :value, :short, :by)
                on conflict (agent_id, name) do update
               set value = excluded.value, short = excluded.short, set_at = clock_timestamp(),
                   set_by = excluded.set_by
            returning xmax = 0
            """)
        .param("agent", agent.value())
        .param("name", name)
        .param("value", value.encoded())
        .param("short", isShort)
        .param("by", by.value())
        .query(Boolean.class)
        .single();
  }

  int count(AgentId agent) {
    return jdbc.sql("select count(*) from agent_vault_entries where agent_id = :agent")
        .param("agent", agent.value())
        .query(Integer.class)
        .single();
  }

  boolean delete(AgentId agent, String name) {
    return jdbc.sql("delete from agent_vault_entries where agent_id = :agent and name = :name")
            .param("agent", agent.value())
            .param("name", name)
            .update()
        == 1;
  }

  Optional<String> sealed(AgentId agent, String name) {
    return jdbc.sql(
            "select value from agent_vault_entries where agent_id = :agent and name = :name")
        .param("agent", agent.value())
        .param("name", name)
        .query(String.class)
        .optional();
  }

  /** The sealed values of what this run has read, by name, as they are now. */
  Map<String, String> readBy(RunId run) {
    return jdbc
        .sql(
            """
            select distinct v.name, v.value
              from activity a
              join agent_vault_entries v on v.agent_id = a.agent_id and v.name = a.connection
             where a.run_id = :run and a.action = 'vault.read'
            """)
        .param("run", run.value())
        .query((row, _) -> Map.entry(row.getString("name"), row.getString("value")))
        .list()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** The names of what this run has read, in the order of the first time. */
  List<String> namesReadBy(RunId run) {
    return jdbc.sql(
            """
            select connection
              from activity
             where run_id = :run and action = 'vault.read' and connection is not null
             group by connection
             order by min(id)
            """)
        .param("run", run.value())
        .query((row, _) -> row.getString("connection"))
        .list();
  }
}
