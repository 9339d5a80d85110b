package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.database.TestDatabase;
import mesh.database.VirtualTime;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case 98: Mesh's clock and the database's differ, and only the database's decides. */
class ClockSkewTest {

  @ParameterizedTest
  @ValueSource(ints = {10, -10})
  void aFreshWorkspaceIsNotTakenForAnOldOne(int minutes) {
    var database = TestDatabase.fresh();
    VirtualTime.shifted(database, Duration.ofMinutes(minutes));
    try (var mesh =
        TestMesh.on(
            database,
            "mesh.workspaces.idle=5m",
            "mesh.workspaces.longest-run=5m",
            "mesh.workspaces.sweep-every=300ms",
            "mesh.workspaces.orphan-grace=5m")) {
      Runtimes.afterFirstRun(mesh);
      var admin = mesh.admin();
      admin.post("/api/agents", "{\"slug\":\"a\",\"name\":\"A\",\"max_compute_seconds\":300}").ok();
      admin
          .put(
              "/api/agents/a/credentials/github",
              "{\"token\":\"%s\",\"account\":{\"login\":\"bot\"}}"
                  .formatted(Canaries.fresh("ghp_")))
          .ok();
      var run = admin.post("/api/runs", "{\"agent\":\"a\",\"mode\":\"external\"}").ok();
      var agent = mesh.with(run.get("token").asString());

      // Long enough for every sweep to have had its say.
      var result = agent.exec("sh", "-c", "sleep 4; echo ${#GH_TOKEN}");
      assertThat(result.get("exit_code").asInt()).isZero();
      assertThat(agent.exec("true").get("exit_code").asInt()).isZero();

      var workspace = admin.get("/api/workspaces?status=ready").ok().get("workspaces").get(0);
      assertThat(workspace.get("compute_seconds").asDouble()).isBetween(3.5, 60.0);
      agent.post("/api/agent/finish", "{\"status\":\"completed\"}").ok();
      Await.until(
          Duration.ofSeconds(30),
          () -> admin.get("/api/workspaces?status=released").ok().get("workspaces").size(),
          released -> released == 2);
    } finally {
      database.close();
    }
  }
}
