package mesh.activity;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.json.JsonMapper;

@Repository
class ActivityRepository {

  private static final String COLUMNS =
      """
      activity.id, activity.at, actors.name as actor, activity.actor_id, activity.action,
             runtime_agents.slug as agent, activity.run_id, activity.connection,
             activity.before, activity.after
        from activity
        join actors on actors.id = activity.actor_id
        left join runtime_agents on runtime_agents.id = activity.agent_id
      """;

  private final JdbcClient jdbc;
  private final JsonMapper json;

  ActivityRepository(JdbcClient jdbc, JsonMapper json) {
    this.jdbc = jdbc;
    this.json = json;
  }

  /** What is told of a run is told of its agent too. */
  void insert(Entry entry) {
    jdbc.sql(
            """
            insert into activity (actor_id, action, agent_id, run_id, connection, before, after)
            values (:actor, :action,
                    coalesce(cast(:agent as uuid),
                             (select agent_id from runs where id = cast(:run as uuid))),
                    :run, :connection, cast(:before as json), cast(:after as json))
            """)
        .param("actor", entry.actor().value())
        .param("action", entry.action())
        .param("agent", entry.agent())
        .param("run", entry.run())
        .param("connection", entry.connection())
        .param("before", written(entry.before()))
        .param("after", written(entry.after()))
        .update();
  }

  private @Nullable String written(@Nullable Object value) {
    return value == null ? null : json.writeValueAsString(value);
  }

  List<Recorded> newest(ActivityFilter filter, int limit) {
    List<String> conditions = new ArrayList<>(List.of("true"));
    Map<String, Object> values = new HashMap<>();
    if (filter.agent() != null) {
      conditions.add(
          """
          activity.agent_id in
             (select id from runtime_agents where slug = :agent or cast(id as text) = :agent)\
          """);
      values.put("agent", filter.agent());
    }
    if (filter.run() != null) {
      conditions.add("activity.run_id = :run");
      values.put("run", filter.run());
    }
    if (filter.actor() != null) {
      conditions.add(
          """
          activity.actor_id in
             (select id from actors where name = :actor or cast(id as text) = :actor)\
          """);
      values.put("actor", filter.actor());
    }
    if (filter.action() != null) {
      conditions.add("(activity.action = :action or starts_with(activity.action, :action || '.'))");
      values.put("action", filter.action());
    }
    if (filter.since() != null) {
      conditions.add("activity.at >= :since");
      values.put("since", Timestamp.from(filter.since()));
    }
    if (filter.cursor() != null) {
      conditions.add("activity.id < :before");
      values.put("before", filter.cursor().number());
    }
    values.put("limit", limit);
    return jdbc.sql(
            "select "
                + COLUMNS
                + " where "
                + String.join("\n   and ", conditions)
                + """

                 order by activity.id desc
                 limit :limit
                """)
        .params(values)
        .query(ActivityRepository::recorded)
        .list();
  }

  List<Recorded> lastOfEachConnection(String action) {
    return jdbc.sql(
            "select distinct on (activity.connection) "
                + COLUMNS
                + """
                 where activity.action = :action and activity.connection is not null
                 order by activity.connection, activity.id desc
                """)
        .param("action", action)
        .query(ActivityRepository::recorded)
        .list();
  }

  private static Recorded recorded(ResultSet row, int number) throws SQLException {
    return new Recorded(
        row.getLong("id"),
        row.getTimestamp("at").toInstant(),
        row.getString("actor"),
        row.getObject("actor_id", UUID.class),
        row.getString("action"),
        row.getString("agent"),
        row.getObject("run_id", UUID.class),
        row.getString("connection"),
        row.getString("before"),
        row.getString("after"));
  }
}
