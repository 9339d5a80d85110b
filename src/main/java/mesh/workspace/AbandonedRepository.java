package mesh.workspace;

import java.util.List;
import java.util.UUID;
import mesh.execution.catalog.BackendName;
import mesh.run.RunId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Makings of sandboxes that nobody is at. */
@Repository
class AbandonedRepository {

  private final JdbcClient jdbc;

  AbandonedRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Oldest first. What a call of the run itself is likely to follow up is left to that. */
  List<Abandoned> abandoned(int limit) {
    return jdbc.sql(
            """
            select w.run_id, w.backend_kind,
                   w.creating_at < clock_timestamp() - interval '120 seconds' as settled
              from workspaces w
             where w.state = 'creating'
               and not exists (select
                                 from instances i
                                where i.id = w.owner_instance and i.lease_until > clock_timestamp())
               and (w.owner_instance is not null
                    or w.creating_at < clock_timestamp() - interval '10 seconds')
             order by w.creating_at
             limit :limit
            """)
        .param("limit", limit)
        .query((row, _) ->
            new Abandoned(
                new RunId(row.getObject("run_id", UUID.class)),
                new BackendName(row.getString("backend_kind")),
                row.getBoolean("settled")))
        .list();
  }

  /**
   * @param settled whether a create whose answer was lost would have shown by now
   */
  record Abandoned(RunId run, BackendName backend, boolean settled) {}
}
