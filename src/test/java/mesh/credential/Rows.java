package mesh.credential;

import java.util.List;
import java.util.UUID;
import mesh.activity.ActorId;
import mesh.agent.AgentId;
import mesh.run.RunId;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Rows as tests need them, made in the ways that the database allows. */
public final class Rows {

  private final JdbcClient jdbc;

  public Rows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  public AgentId agent() {
    return agent(10_000);
  }

  /**
   * @param limit how many workspaces it may have at once
   */
  public AgentId agent(int limit) {
    var id = UUID.randomUUID();
    jdbc.sql(
            """
            insert into runtime_agents (id, slug, name, max_concurrent_workspaces)
            values (:id, :slug, 'a', :limit)
            """)
        .param("id", id)
        .param("slug", "a" + id)
        .param("limit", limit)
        .update();
    return new AgentId(id);
  }

  /** A live one without a workspace. */
  public RunId run(AgentId agent) {
    var id = UUID.randomUUID();
    jdbc.sql(
            """
            insert into runs (id, agent_id, status, mode, input, created_by_actor_id)
            values (:id, :agent, 'running', 'external', '', :actor)
            """)
        .param("id", id)
        .param("agent", agent.value())
        .param("actor", ActorId.SYSTEM.value())
        .update();
    return new RunId(id);
  }

  /** The run's workspace, as it comes with a run. */
  public UUID pending(RunId run, AgentId agent) {
    var id = UUID.randomUUID();
    jdbc.sql(
            """
            insert into workspaces (id, run_id, agent_id, created_by_actor_id)
            values (:id, :run, :agent, :actor)
            """)
        .param("id", id)
        .param("run", run.value())
        .param("agent", agent.value())
        .param("actor", ActorId.SYSTEM.value())
        .update();
    return id;
  }

  /** A new run's workspace that what is issued now has touched, by these steps from pending. */
  public UUID workspace(AgentId agent, String... steps) {
    var run = run(agent);
    var id = pending(run, agent);
    issue(run);
    taint(id);
    for (var step : steps) {
      step(id, step);
    }
    return id;
  }

  /** Issues what the permissions say now, which nobody keeps as they are. */
  public void issue(RunId run) {
    jdbc.sql(
            """
            insert into workspace_credential_issuances
                   (run_id, provider, agent_id, credential_kind, permission_revision, available)
            select r.id, p.provider, p.agent_id, 'personal_access_token', p.revision,
                   p.enabled
                     and exists (select
                                   from agent_secrets s
                                  where s.agent_id = p.agent_id and s.provider = p.provider)
              from runs r
              join workspace_credential_permissions p using (agent_id)
             where r.id = :run
                on conflict do nothing
            """)
        .param("run", run.value())
        .update();
  }

  /** With what its run was issued. */
  public void taint(UUID workspace) {
    jdbc.sql(
            """
            insert into workspace_taints (workspace_id, agent_id, provider, permission_revision)
            select w.id, i.agent_id, i.provider, i.permission_revision
              from workspaces w
              join workspace_credential_issuances i using (run_id)
             where w.id = :id
                on conflict do nothing
            """)
        .param("id", workspace)
        .update();
  }

  public void step(UUID workspace, String state) {
    jdbc.sql(
            """
            update workspaces
               set state = :state, backend_kind = coalesce(backend_kind, 'fake'),
                   create_key =
                     coalesce(create_key, 'mesh-aaaaaaaaaa-' || substr(md5(id::text), 1, 25) || '-1'),
                   size = 'small',
                   external_ref = coalesce(external_ref, 'ref-' || id), release_reason = 'test',
                   released_at = case when :state = 'released' then now() end
             where id = :id
            """)
        .param("id", workspace)
        .param("state", state)
        .update();
  }

  public String state(UUID workspace) {
    return jdbc.sql("select state from workspaces where id = :id")
        .param("id", workspace)
        .query(String.class)
        .single();
  }

  /** Reasons of its teardowns that are not done: none or one. */
  public List<String> queued(UUID workspace) {
    return jdbc.sql(
            "select reason from workspace_teardowns where workspace_id = :id and done_at is null")
        .param("id", workspace)
        .query((row, _) -> row.getString(1))
        .list();
  }

  public long revision(AgentId agent, Provider provider) {
    return jdbc.sql(
            """
            select revision
              from workspace_credential_permissions
             where agent_id = :agent and provider = :provider
            """)
        .param("agent", agent.value())
        .param("provider", provider.word())
        .query(Long.class)
        .single();
  }

  /** The smallest change of a permission; returns the revision it led to. */
  public long touch(AgentId agent, Provider provider) {
    return jdbc.sql(
            """
            update workspace_credential_permissions
               set enabled = enabled
             where agent_id = :agent and provider = :provider
            returning revision
            """)
        .param("agent", agent.value())
        .param("provider", provider.word())
        .query(Long.class)
        .single();
  }
}
