package mesh.credential;

import java.util.List;
import mesh.agent.AgentId;
import mesh.database.SidePool;
import mesh.run.RunId;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Each method needs a transaction of its pool. */
@Repository
class DeliveryLockRepository {

  private static final String KEY = "(hashtextextended(:agent || ':' || :provider, 42))";

  private final JdbcClient jdbc;
  private final JdbcClient draining;

  DeliveryLockRepository(
      @Qualifier("deliveryPool") SidePool pool, @Qualifier("drainPool") SidePool drainPool) {
    this.jdbc = pool.jdbc();
    this.draining = drainPool.jdbc();
  }

  void share(AgentId agent, Provider provider) {
    lock(jdbc, "select pg_advisory_xact_lock_shared" + KEY, agent, provider);
  }

  /** On the drain pool. */
  void take(AgentId agent, Provider provider) {
    lock(draining, "select pg_advisory_xact_lock" + KEY, agent, provider);
  }

  /** What the run was issued, each with whether it is still good, and the token as it is now. */
  List<Issued> issuedTo(RunId run) {
    return jdbc.sql(
            """
            select i.provider, i.available, p.revision = i.permission_revision as current, s.token
              from workspace_credential_issuances i
              join workspace_credential_permissions p using (agent_id, provider)
              left join agent_secrets s using (agent_id, provider)
             where i.run_id = :run
             order by i.provider
            """)
        .param("run", run.value())
        .query((row, _) ->
            new Issued(
                Provider.of(row.getString("provider")),
                row.getBoolean("available"),
                row.getBoolean("current"),
                String.valueOf(row.getString("token"))))
        .list();
  }

  private static void lock(JdbcClient on, String sql, AgentId agent, Provider provider) {
    List<String> _ =
        on.sql(sql)
            .param("agent", agent.value().toString())
            .param("provider", provider.word())
            .query((_, _) -> "")
            .list();
  }

  /**
   * @param token sealed
   */
  record Issued(Provider provider, boolean available, boolean current, String token) {}
}
