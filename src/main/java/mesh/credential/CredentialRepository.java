package mesh.credential;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import mesh.activity.ActorId;
import mesh.agent.AgentId;
import mesh.run.RunId;
import mesh.secret.SealedText;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Permissions and credentials. Revisions are the database's own doing. */
@Repository
class CredentialRepository {

  private static final String PERMISSIONS =
      """
      select p.provider, p.enabled, p.revision, p.source, p.updated_at, a.name as updated_by
        from workspace_credential_permissions p
        left join actors a on a.id = p.updated_by
       where p.agent_id = :agent
      """;

  private final JdbcClient jdbc;

  CredentialRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  List<Permission> permissions(AgentId agent) {
    return jdbc.sql(PERMISSIONS + " order by p.provider")
        .param("agent", agent.value())
        .query(CredentialRepository::permission)
        .list();
  }

  Permission permission(AgentId agent, Provider provider) {
    return jdbc.sql(PERMISSIONS + " and p.provider = :provider")
        .param("agent", agent.value())
        .param("provider", provider.word())
        .query(CredentialRepository::permission)
        .single();
  }

  /** The permission, which nobody changes until the transaction ends. */
  Permission lock(AgentId agent, Provider provider) {
    return jdbc.sql(PERMISSIONS + " and p.provider = :provider for no key update of p")
        .param("agent", agent.value())
        .param("provider", provider.word())
        .query(CredentialRepository::permission)
        .single();
  }

  /** Of a locked permission: whatever an operator decides is explicit from then on. */
  void decide(AgentId agent, Provider provider, boolean enabled, ActorId by) {
    jdbc.sql(
            """
            update workspace_credential_permissions
               set enabled = :enabled, source = 'explicit', updated_by = :by
             where agent_id = :agent and provider = :provider
            """)
        .param("agent", agent.value())
        .param("provider", provider.word())
        .param("enabled", enabled)
        .param("by", by.value())
        .update();
  }

  void put(AgentId agent, Provider provider, SealedText token, Account account, ActorId by) {
    jdbc.sql(
            """
            insert into agent_secrets
                   (agent_id, provider, token, account_login, account_name, account_email, set_by)
            values (:agent, :provider, :token, :login, :name, :email, :by)
                on conflict (agent_id, provider) do update
               set token = excluded.token, account_login = excluded.account_login,
                   account_name = excluded.account_name, account_email = excluded.account_email,
                   set_at = clock_timestamp(), set_by = excluded.set_by
            """)
        .param("agent", agent.value())
        .param("provider", provider.word())
        .param("token", token.encoded())
        .param("login", account.login())
        .param("name", account.name())
        .param("email", account.email())
        .param("by", by.value())
        .update();
  }

  boolean delete(AgentId agent, Provider provider) {
    return jdbc.sql("delete from agent_secrets where agent_id = :agent and provider = :provider")
            .param("agent", agent.value())
            .param("provider", provider.word())
            .update()
        == 1;
  }

  Optional<StoredCredential> find(AgentId agent, Provider provider) {
    return all(agent).stream().filter(stored -> stored.provider() == provider).findFirst();
  }

  List<StoredCredential> all(AgentId agent) {
    return jdbc.sql(
            """
            select s.provider, s.token, s.account_login, s.account_name, s.account_email, s.set_at,
                   a.name as set_by
              from agent_secrets s
              join actors a on a.id = s.set_by
             where s.agent_id = :agent
             order by s.provider
            """)
        .param("agent", agent.value())
        .query(CredentialRepository::stored)
        .list();
  }

  Optional<AgentId> agentOf(RunId run) {
    return jdbc.sql("select agent_id from runs where id = :run")
        .param("run", run.value())
        .query((row, _) -> new AgentId(row.getObject("agent_id", UUID.class)))
        .optional();
  }

  /** Every sealed text of this module, as it is in the row. */
  List<String> sealed() {
    return jdbc.sql(
            "select token from agent_secrets union all select value from agent_vault_entries")
        .query((row, _) -> row.getString(1))
        .list();
  }

  private static Permission permission(ResultSet row, int number) throws SQLException {
    return new Permission(
        Provider.of(row.getString("provider")),
        row.getBoolean("enabled"),
        row.getLong("revision"),
        Permission.Source.of(row.getString("source")),
        row.getObject("updated_at", OffsetDateTime.class).toInstant(),
        row.getString("updated_by"));
  }

  private static StoredCredential stored(ResultSet row, int number) throws SQLException {
    return new StoredCredential(
        Provider.of(row.getString("provider")),
        row.getString("token"),
        new Account(
            row.getString("account_login"),
            row.getString("account_name"),
            row.getString("account_email")),
        row.getObject("set_at", OffsetDateTime.class).toInstant(),
        row.getString("set_by"));
  }
}
