package mesh.dashboard;

import java.time.Duration;
import java.util.UUID;
import mesh.Await;
import mesh.TestMesh;
import mesh.activity.ActorId;
import mesh.agent.AgentId;
import mesh.agent.Agents;
import mesh.run.NewRun;
import mesh.run.Run;
import mesh.run.RunId;
import mesh.run.RunMode;
import mesh.run.Runs;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Runs and sandboxes in states that take a vendor's failure to reach. */
final class Staging {

  private final TestMesh mesh;
  private final JdbcClient jdbc;

  Staging(TestMesh mesh) {
    this.mesh = mesh;
    this.jdbc = mesh.bean(JdbcClient.class);
    // The first run of a new installation has a workspace too.
    Await.until(
        Duration.ofMinutes(2),
        () -> mesh.admin().get("/api/workspaces").ok().get("workspaces"),
        all -> !all.isEmpty() && all.get(0).get("status").asString().equals("released"));
  }

  AgentId agent(String slug) {
    return mesh.bean(Agents.class).find(slug).orElseThrow().id();
  }

  /** A run that waits for its agent elsewhere; without a sandbox. */
  Run run(String slug, String task) {
    return mesh.bean(Runs.class)
        .create(NewRun.of(agent(slug), RunMode.EXTERNAL, task, ActorId.SYSTEM));
  }

  /** A run whose agent has called a tool, with the runtime of a new installation. */
  Run runWithSandbox(String slug, String task) {
    var created =
        mesh.admin()
            .post(
                "/api/runs",
                TestMesh.JSON
                    .createObjectNode()
                    .put("agent", slug)
                    .put("input", task)
                    .put("mode", "external"))
            .ok();
    mesh.with(created.path("token").asString()).exec("true");
    return mesh.bean(Runs.class)
        .find(new RunId(UUID.fromString(created.path("id").asString())))
        .orElseThrow();
  }

  /** A run whose sandbox holds a GitHub credential and whose vendor does not confirm its end. */
  Run stillAlive(String slug, String error) {
    Run run = run(slug, "Outlive the revocation");
    issued(run, true);
    become(
        run,
        """
        state = 'creating', backend_kind = 'elsewhere', create_key = 'key-' || id,
        size = 'standard', egress = '{"mode":"open"}', creating_at = now()
        """);
    become(
        run,
        """
        state = 'releasing', releasing_at = now(), release_reason = 'authorization_changed'
        """);
    jdbc.sql(
            """
            update workspace_teardowns
               set last_error = :error, attempts = 4, requested_at = now() - interval '7 minutes',
                   next_attempt_at = now() + interval '1 hour'
             where workspace_id = (select id from workspaces where run_id = :run)
            """)
        .param("error", error)
        .param("run", run.id().value())
        .update();
    return run;
  }

  private void become(Run run, String values) {
    jdbc.sql("update workspaces set " + values + " where run_id = :run")
        .param("run", run.id().value())
        .update();
  }

  /** The rows that a run gets when it first reaches for a sandbox. */
  void issued(Run run, boolean available) {
    jdbc.sql(
            """
            insert into workspace_credential_issuances
                   (run_id, provider, agent_id, credential_kind, permission_revision, available)
            select :run, provider, agent_id, 'personal_access_token', revision,
                   :available and provider = 'github'
              from workspace_credential_permissions
             where agent_id = :agent
            """)
        .param("run", run.id().value())
        .param("agent", run.agent().value())
        .param("available", available)
        .update();
  }
}
