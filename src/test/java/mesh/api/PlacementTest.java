package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import mesh.Await;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import mesh.database.TestDatabase;
import mesh.simulator.sprites.SpritesSimulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Which runtime a run's workspace goes to, and that it never goes to another silently. */
class PlacementTest {

  private static final TestDatabase DATABASE = TestDatabase.fresh();
  private static SpritesSimulator vendor;
  private static TestMesh mesh;
  private static Client admin;

  @BeforeAll
  static void start() throws IOException {
    vendor = SpritesSimulator.start(0);
    mesh = TestMesh.on(DATABASE);
    Runtimes.onlySprites(mesh, vendor);
    admin = mesh.admin();
    admin.put("/api/settings/agent-runtimes/local", "{\"enabled\":true}").ok();
  }

  @AfterAll
  static void stop() {
    mesh.close();
    vendor.close();
  }

  @Test
  void anUnpinnedAgentTakesTheFirstInCatalogOrder() {
    agent("free", "null");

    assertThat(placed("free")).isEqualTo("sprites");
  }

  @Test
  void aPinnedAgentTakesItsOwn() {
    agent("homely", "\"local\"");

    assertThat(placed("homely")).isEqualTo("local");
  }

  @Test
  void aPinToWhatIsNotEnabledIsRefusedWhenItIsSet() {
    var refused =
        admin.post(
            "/api/agents", "{\"slug\":\"lost\",\"name\":\"L\",\"runtime_backend\":\"nowhere\"}");

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo("runtime_not_enabled");
  }

  @Test
  void aPinThatOutlivedItsRuntimeIsRefusedAtAcquisition() {
    agent("pinned", "\"local\"");
    DATABASE
        .jdbc()
        .sql("update runtime_agents set runtime_backend = 'nowhere' where slug = 'pinned'")
        .update();
    var run = run("pinned");

    var refused =
        mesh.with(run.get("token").asString()).tool("workspace_exec", "{\"argv\":[\"true\"]}");

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo("runtime_not_enabled");
    assertThat(refused.text()).contains("nowhere").contains("Settings");
    assertThat(
            admin
                .get("/api/runs/" + run.get("id").asString())
                .ok()
                .get("workspace")
                .get("status")
                .asString())
        .isEqualTo("pending");
    var tools = mesh.with(run.get("token").asString()).get("/api/agent/tools").ok().get("tools");
    assertThat(tools)
        .filteredOn(tool -> tool.get("needs").toString().contains("workspace"))
        .hasSizeGreaterThan(5)
        .allSatisfy(
            tool -> assertThat(tool.get("unavailable_because").asString()).contains("nowhere"));
  }

  @Test
  void theTrialOfARuntimeSaysHowLongEachStepTook() {
    for (var name : new String[] {"local", "sprites"}) {
      var trial = admin.post("/api/settings/agent-runtimes/" + name + "/test", "").ok();

      assertThat(trial.get("ok").asBoolean()).as(trial.toString()).isTrue();
      assertThat(trial.get("steps"))
          .extracting(step -> step.get("step").asString())
          .containsExactly("acquire", "exec", "write", "read", "release");
    }
    assertThat(vendor.sprites()).as("left by the trial").isEmpty();
    assertThat(admin.post("/api/settings/agent-runtimes/nowhere/test", "").code())
        .isEqualTo("runtime_unknown");
  }

  private static void agent(String slug, String pin) {
    admin
        .post(
            "/api/agents",
            "{\"slug\":\"%s\",\"name\":\"A\",\"runtime_backend\":%s}".formatted(slug, pin))
        .ok();
  }

  private static JsonNode run(String slug) {
    return admin.post("/api/runs", "{\"agent\":\"" + slug + "\",\"mode\":\"external\"}").ok();
  }

  private static String placed(String slug) {
    var run = run(slug);
    var agent = mesh.with(run.get("token").asString());
    agent.exec("true");
    var backend =
        admin
            .get("/api/runs/" + run.get("id").asString())
            .ok()
            .get("workspace")
            .get("backend_kind")
            .asString();
    agent.post("/api/agent/finish", "{\"status\":\"completed\"}").ok();
    Await.until(Duration.ofSeconds(30), vendor::sprites, Map::isEmpty);
    return backend;
  }
}
