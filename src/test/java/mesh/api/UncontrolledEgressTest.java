package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import mesh.Await;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import mesh.database.TestDatabase;
import mesh.simulator.sprites.CallKind;
import mesh.simulator.sprites.SpritesSimulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What becomes of workspaces on a runtime that cannot keep an allowlist. */
class UncontrolledEgressTest {

  private static final String SETTING = "/api/settings/workspace-egress";

  private static final TestDatabase DATABASE = TestDatabase.fresh();
  private static SpritesSimulator vendor;
  private static TestMesh mesh;
  private static Client admin;

  private JsonNode run;

  @BeforeAll
  static void start() throws IOException {
    vendor = SpritesSimulator.start(0);
    mesh = TestMesh.on(DATABASE);
    Runtimes.onlySprites(mesh, vendor);
    admin = mesh.admin();
    admin.post("/api/agents", "{\"slug\":\"builder\",\"name\":\"B\"}").ok();
  }

  @AfterAll
  static void stop() {
    mesh.close();
    vendor.close();
  }

  @BeforeEach
  void aRun() {
    vendor.forgetCalls();
    run = external("");
  }

  @AfterEach
  void nothingIsLeft() {
    DATABASE.jdbc().sql("delete from settings where name = 'workspace_egress'").update();
    finish(run);
    Await.until(
        Duration.ofSeconds(30),
        () ->
            DATABASE
                .jdbc()
                .sql(
                    "select count(*) from workspaces where state in ('creating', 'ready', 'releasing')")
                .query(Integer.class)
                .single(),
        n -> n == 0);
  }

  private static JsonNode external(String continuing) {
    return admin
        .post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"%s}".formatted(continuing))
        .ok();
  }

  private static Client agent(JsonNode run) {
    return mesh.with(run.get("token").asString());
  }

  private static void finish(JsonNode run) {
    var _ = agent(run).post("/api/agent/finish", "{\"status\":\"completed\"}");
  }

  private static JsonNode workspace(JsonNode run) {
    return admin.get("/api/runs/" + run.get("id").asString()).ok().get("workspace");
  }

  private static String egress(JsonNode run) {
    var id = workspace(run).get("id").asString();
    return admin.get("/api/workspaces/" + id).ok().get("egress").toString();
  }

  private static void set(String policy) {
    admin.put(SETTING, policy).ok();
  }

  private void assertRefused(String code, String... words) {
    var refused = agent(run).tool("workspace_exec", "{\"argv\":[\"true\"]}");

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo(code);
    assertThat(refused.text()).contains(words);
    assertThat(vendor.calls()).as("calls to the vendor").isEmpty();
    assertThat(workspace(run).get("status").asString()).isEqualTo("pending");
  }

  /** EGR-1. */
  @Test
  void withoutAPolicyTheWorkspaceIsOpenAndSaysSo() {
    agent(run).exec("true");

    assertThat(egress(run)).isEqualTo("{\"mode\":\"open\"}");
  }

  /** EGR-4. */
  @Test
  void itIsRefusedBeforeAnythingIsMade() {
    set("{\"mode\":\"allowlist\",\"domains\":[],\"uncontrolled\":\"refuse\"}");

    assertRefused("egress_uncontrolled", "sprites", "Settings");

    set("{\"mode\":\"open\",\"domains\":[],\"uncontrolled\":\"refuse\"}");
    assertThat(agent(run).exec("true").get("exit_code").asInt()).as("the run went on").isZero();
  }

  /** EGR-4. */
  @Test
  void itIsMadeOpenWhereThatIsAllowed() {
    set("{\"mode\":\"allowlist\",\"domains\":[],\"uncontrolled\":\"allow\"}");

    agent(run).exec("true");

    assertThat(egress(run)).isEqualTo("{\"mode\":\"open\",\"uncontrolled\":true}");
    assertThat(vendor.calls(CallKind.CREATE)).hasSize(1);
  }

  /** EGR-5 and case 21. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"mode\":\"opne\",\"domains\":[]}",
        "{\"mode\":\"open\",\"domains\":\"*\"}",
        "{\"domains\":null}",
        "17",
        "null"
      })
  void aPolicyThatMakesNoSenseMakesNoWorkspace(String stored) {
    DATABASE
        .jdbc()
        .sql("insert into settings (name, value) values ('workspace_egress', cast(:value as json))")
        .param("value", stored)
        .update();

    assertRefused("egress_policy_unreadable", "cannot be read", "Settings");
  }

  /** EGR-5 and case 21. */
  @Test
  void aPolicyFromBeforeThereWereModesKeepsItsList() {
    DATABASE
        .jdbc()
        .sql(
            """
            insert into settings (name, value)
            values ('workspace_egress', '{"domains":["example.com"],"uncontrolled":"refuse"}')
            """)
        .update();

    assertRefused("egress_uncontrolled", "sprites");
  }

  /** Case 21: the table is locked, so nobody can say what the policy is. */
  @Test
  void aPolicyThatCannotBeReadMakesNoWorkspace() throws Exception {
    try (var holder = DATABASE.dataSource().getConnection()) {
      holder.setAutoCommit(false);
      try (var lock = holder.createStatement()) {
        lock.execute("lock table settings in access exclusive mode");
      }

      assertThat(agent(run).tool("workspace_exec", "{\"argv\":[\"true\"]}").code())
          .isEqualTo("egress_policy_unreadable");

      assertThat(vendor.calls()).isEmpty();
      holder.rollback();
    }
    assertThat(agent(run).exec("true").get("exit_code").asInt()).isZero();
  }

  /** EGR-6: a change is for new workspaces; what runs or sleeps keeps what it was made with. */
  @Test
  void whatWasMadeKeepsItsPolicyAlsoForTheNextRun() {
    var conversation = ",\"conversation\":\"" + UUID.randomUUID() + "\"";
    finish(run);
    run = external(conversation);
    agent(run).exec("sh", "-c", "echo kept > file");

    set("{\"mode\":\"allowlist\",\"domains\":[],\"uncontrolled\":\"refuse\"}");

    assertThat(agent(run).exec("cat", "file").get("stdout").asString()).isEqualTo("kept\n");
    finish(run);
    Await.until(
        Duration.ofSeconds(30),
        () -> workspace(run).get("status").asString(),
        List.of("held", "released")::contains);
    var next = external(conversation);
    try {
      assertThat(agent(next).exec("cat", "file").get("stdout").asString()).isEqualTo("kept\n");
      assertThat(egress(next)).isEqualTo("{\"mode\":\"open\"}");
      assertThat(vendor.calls(CallKind.CREATE)).hasSize(1);
    } finally {
      finish(next);
    }
  }

  /** EGR-6: nor does a sandbox that replaces a lost one get more, or less, than the first. */
  @Test
  void aReplacementGoesByTheFirstPolicy() {
    agent(run).exec("true");
    Vendors.delete(vendor, vendor.sprites().keySet().iterator().next());
    set("{\"mode\":\"allowlist\",\"domains\":[],\"uncontrolled\":\"refuse\"}");

    assertThat(agent(run).tool("workspace_exec", "{\"argv\":[\"true\"]}").text())
        .contains("sandbox_lost");
    agent(run).exec("true");

    assertThat(egress(run)).isEqualTo("{\"mode\":\"open\"}");
  }

  @Test
  void theTrialOfARuntimeIsNoWorkspaceAndGoesOn() {
    set("{\"mode\":\"allowlist\",\"domains\":[],\"uncontrolled\":\"refuse\"}");

    var trial = admin.post("/api/settings/agent-runtimes/sprites/test", "").ok();

    assertThat(trial.get("ok").asBoolean()).as(trial.toString()).isTrue();
    Await.until(Duration.ofSeconds(30), vendor::sprites, Map::isEmpty);
  }
}
