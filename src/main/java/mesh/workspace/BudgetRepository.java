package mesh.workspace;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import mesh.run.RunId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Which runs have used what they may, by the database's clock. */
@Repository
class BudgetRepository {

  private final JdbcClient jdbc;

  BudgetRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Reads only what is in use right now, however many workspaces there ever were. */
  List<Exhausted> exhausted() {
    return jdbc.sql(
            """
            select w.run_id, coalesce(r.compute_share, a.max_compute_seconds) - r.compute_given
              from workspaces w
              join runtime_agents a on a.id = w.agent_id
              join runs r on r.id = w.run_id
             where w.state = 'ready' and r.ended_at is null
               and w.compute_seconds + extract(epoch from clock_timestamp() - w.ready_at)
                     >= coalesce(r.compute_share, a.max_compute_seconds) - r.compute_given
            """)
        .query((row, _) ->
            new Exhausted(
                new RunId(row.getObject(1, UUID.class)), Duration.ofSeconds(row.getLong(2))))
        .list();
  }

  /**
   * @param budget what it may use
   */
  record Exhausted(RunId run, Duration budget) {}
}
