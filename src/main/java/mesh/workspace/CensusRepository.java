package mesh.workspace;

import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Counts workspaces, from indexes that hold the unfinished ones alone. */
@Repository
class CensusRepository {

  private final JdbcClient jdbc;

  CensusRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** How many have a sandbox or must lose one, by the word of their state. */
  Map<String, Long> unfinished() {
    return jdbc
        .sql(
            """
            select state, count(*) as number
              from workspaces
             where state not in ('pending', 'released')
             group by state
            """)
        .query((row, _) -> Map.entry(row.getString("state"), row.getLong("number")))
        .list()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  /** What is queued to be ended. */
  Queue queue() {
    return jdbc.sql(
            """
            select count(*) as number,
                   coalesce(extract(epoch from clock_timestamp() - min(requested_at)), 0) as oldest
              from workspace_teardowns
             where done_at is null
            """)
        .query((row, _) -> new Queue(row.getLong("number"), row.getDouble("oldest")))
        .single();
  }

  /**
   * @param oldestSeconds how long the oldest has been waiting; 0 if there is none
   */
  record Queue(long number, double oldestSeconds) {}
}
