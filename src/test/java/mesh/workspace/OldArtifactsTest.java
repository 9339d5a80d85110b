package mesh.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import mesh.Await;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import mesh.database.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whole outputs go when they are old and their runs have ended, and it is said that they did. */
class OldArtifactsTest {

  private static TestDatabase database;
  private static TestMesh mesh;

  @BeforeAll
  static void start() {
    database = TestDatabase.fresh();
    mesh = TestMesh.on(database, "mesh.workspaces.sweep-every=200ms");
    mesh.admin().post("/api/agents", "{\"slug\":\"builder\",\"name\":\"Builder\"}").ok();
  }

  @AfterAll
  static void stop() {
    mesh.close();
    database.close();
  }

  @Test
  void theOldOnesOfEndedRunsGo() {
    var admin = mesh.admin();
    var created =
        List.of(begin(admin), begin(admin), begin(admin)).stream()
            .map(run -> mesh.with(run))
            .toList();
    var artifacts =
        created.stream()
            .map(agent -> agent.exec("seq", "1", "20000").get("artifact").asString())
            .toList();
    age(artifacts.get(0), 8);
    age(artifacts.get(1), 8);
    age(artifacts.get(2), 6);
    for (int ended : new int[] {0, 2}) {
      created
          .get(ended)
          .post("/api/agent/finish", "{\"status\":\"completed\",\"summary\":\"\"}")
          .ok();
    }

    admin.put("/api/settings/artifacts", "{\"retention_days\":7}").ok();

    Await.until(
        Duration.ofSeconds(20),
        () -> admin.get("/api/artifacts/" + artifacts.get(0)).ok().get("removed_at"),
        at -> !at.isNull());
    var gone = admin.get("/api/artifacts/" + artifacts.get(0) + "/stdout");
    assertThat(gone.status()).isEqualTo(410);
    assertThat(gone.code()).isEqualTo("artifact_removed");
    assertThat(gone.json().get("detail").asString()).contains("was removed at 20");
    assertThat(chunks(artifacts.get(0))).isZero();
    for (int kept : new int[] {1, 2}) {
      assertThat(admin.get("/api/artifacts/" + artifacts.get(kept) + "/stdout").status())
          .isEqualTo(200);
      assertThat(chunks(artifacts.get(kept))).isPositive();
    }
  }

  @Test
  void theSettingIsCheckedAndAudited() {
    var admin = mesh.admin();

    assertThat(admin.put("/api/settings/artifacts", "{\"retention_days\":0}").code())
        .isEqualTo("retention_invalid");
    assertThat(admin.put("/api/settings/artifacts", "{}").code()).isEqualTo("retention_invalid");
    admin.put("/api/settings/artifacts", "{\"retention_days\":90}").ok();
    assertThat(admin.get("/api/settings/artifacts").ok().get("retention_days").asInt())
        .isEqualTo(90);
    assertThat(admin.get("/api/activity").text()).contains("artifact_retention.changed");
  }

  private static String begin(Client admin) {
    return admin
        .post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}")
        .ok()
        .get("token")
        .asString();
  }

  private static void age(String artifact, int days) {
    database
        .jdbc()
        .sql(
            "update artifacts set created_at = now() - make_interval(days => :days) where id = cast(:id as uuid)")
        .param("days", days)
        .param("id", artifact)
        .update();
  }

  private static int chunks(String artifact) {
    return database
        .jdbc()
        .sql("select count(*) from artifact_chunks where artifact_id = cast(:id as uuid)")
        .param("id", artifact)
        .query(Integer.class)
        .single();
  }
}
