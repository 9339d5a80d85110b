package mesh.credential;

import java.time.OffsetDateTime;
import java.util.List;
import mesh.agent.AgentId;
import mesh.run.RunId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class IssuanceRepository {

  private final JdbcClient jdbc;

  IssuanceRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Keeps the agent's permissions as they are until the transaction ends. */
  void lockPermissions(AgentId agent) {
    var _ =
        jdbc.sql(
                """
                select provider
                  from workspace_credential_permissions
                 where agent_id = :agent
                 order by provider
                   for share
                """)
            .param("agent", agent.value())
            .query(String.class)
            .list();
  }

  /** Issues what was not issued to the run yet, under locked permissions. */
  void issue(RunId run, AgentId agent, boolean deliverable) {
    jdbc.sql(
            """
            insert into workspace_credential_issuances
                   (run_id, provider, agent_id, credential_kind, permission_revision, available)
            select :run, p.provider, p.agent_id, 'personal_access_token', p.revision,
                   :deliverable and p.enabled
                     and exists (select
                                   from agent_secrets s
                                  where s.agent_id = p.agent_id and s.provider = p.provider)
              from workspace_credential_permissions p
             where p.agent_id = :agent
             order by p.provider
                on conflict do nothing
            """)
        .param("run", run.value())
        .param("agent", agent.value())
        .param("deliverable", deliverable)
        .update();
  }

  List<Issuance> of(RunId run) {
    return jdbc.sql(
            """
            select i.provider, i.credential_kind, i.permission_revision, i.available, i.issued_at,
                   p.revision = i.permission_revision as current
              from workspace_credential_issuances i
              join workspace_credential_permissions p using (agent_id, provider)
             where i.run_id = :run
             order by i.provider
            """)
        .param("run", run.value())
        .query((row, _) ->
            new Issuance(
                Provider.of(row.getString("provider")),
                row.getString("credential_kind"),
                row.getLong("permission_revision"),
                row.getBoolean("available"),
                row.getObject("issued_at", OffsetDateTime.class).toInstant(),
                row.getBoolean("current")))
        .list();
  }
}
