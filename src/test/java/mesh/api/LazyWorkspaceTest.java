package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import mesh.Await;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import mesh.simulator.sprites.CallKind;
import mesh.simulator.sprites.Fault;
import mesh.simulator.sprites.SpritesSimulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** When a sandbox is made, and that it is gone afterwards, whatever the vendor does meanwhile. */
class LazyWorkspaceTest {

  private static SpritesSimulator vendor;
  private static TestMesh mesh;
  private static Client admin;

  @BeforeAll
  static void start() throws IOException {
    vendor = SpritesSimulator.start(0);
    mesh = TestMesh.start();
    Runtimes.onlySprites(mesh, vendor);
    admin = mesh.admin();
    admin
        .post(
            "/api/agents",
            "{\"slug\":\"builder\",\"name\":\"Builder\",\"max_concurrent_workspaces\":3}")
        .ok();
    admin
        .post(
            "/api/agents",
            """
            {"slug":"talker","name":"Talker","model":{"kind":"scripted","steps":[],"summary":"Hello."}}
            """)
        .ok();
  }

  @AfterAll
  static void stop() {
    mesh.close();
    vendor.close();
  }

  private final List<JsonNode> started = new ArrayList<>();

  @BeforeEach
  void nobodyHasCalled() {
    vendor.forgetCalls();
  }

  @AfterEach
  void nothingIsLeft() {
    vendor.faults().clear();
    started.forEach(run -> agent(run).post("/api/agent/finish", "{\"status\":\"completed\"}"));
    Await.until(
        Duration.ofSeconds(60), () -> workspaces("releasing") + workspaces("ready"), n -> n == 0);
    assertThat(vendor.sprites()).isEmpty();
  }

  @Test
  void aRunThatCallsNoWorkspaceToolMakesNoCallToTheVendor() {
    var run = admin.post("/api/runs", "{\"agent\":\"talker\",\"input\":\"Hi\"}").ok();
    var id = run.get("id").asString();
    assertThat(run.get("workspace").get("status").asString()).isEqualTo("pending");

    var ended =
        Await.until(
            Duration.ofSeconds(20),
            () -> admin.get("/api/runs/" + id).ok(),
            it -> !it.get("ended_at").isNull());

    assertThat(ended.get("status").asString()).isEqualTo("completed");
    assertThat(ended.get("summary").asString()).isEqualTo("Hello.");
    assertThat(ended.get("workspace").get("backend_kind").isNull()).isTrue();
    assertThat(vendor.calls()).isEmpty();
  }

  @Test
  void anExternalRunStaysPendingUntilAToolNeedsIt() {
    var run = external();
    agent(run).get("/api/agent/tools").ok();

    assertThat(state(run)).isEqualTo("pending");
    assertThat(vendor.calls()).isEmpty();

    agent(run).exec("true");
    assertThat(state(run)).isEqualTo("ready");
    assertThat(vendor.calls(CallKind.CREATE)).hasSize(1);

    agent(run).exec("true");
    assertThat(vendor.calls(CallKind.CREATE)).as("reused").hasSize(1);
    finish(run);
  }

  @Test
  void aChildRunGetsAWorkspaceOfItsOwn() {
    var parent = external();
    var child =
        admin
            .post(
                "/api/runs",
                "{\"agent\":\"builder\",\"mode\":\"external\",\"parent_run\":\"%s\"}"
                    .formatted(parent.get("id").asString()))
            .ok();
    started.add(child);
    agent(parent).exec("sh", "-c", "echo mine > file");

    assertThat(agent(child).exec("ls").get("stdout").asString()).isEmpty();
    assertThat(child.get("parent_run").asString()).isEqualTo(parent.get("id").asString());
    assertThat(vendor.sprites()).hasSize(2);
    finish(child);
    finish(parent);
  }

  @Test
  void noMoreWorkspacesAtOnceThanTheAgentMayHave() {
    var runs = new JsonNode[] {external(), external(), external(), external()};
    for (int i = 0; i < 3; i++) {
      agent(runs[i]).exec("true");
    }

    var refused = agent(runs[3]).tool("workspace_exec", "{\"argv\":[\"true\"]}");

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isEqualTo("workspace_limit_reached");
    assertThat(vendor.sprites()).hasSize(3);
    for (var run : runs) {
      finish(run);
    }
  }

  @Test
  void aLostAnswerToTheCreateMakesNoSecondSandbox() {
    var run = external();
    vendor.faults().next(CallKind.CREATE, new Fault.LostResponse());

    agent(run).exec("true");

    assertThat(vendor.sprites()).hasSize(1);
    finish(run);
  }

  @Test
  void aVendorThatAnswersNothingIsAProblemThatTimeHelpsAndNothingLeaks() {
    var run = external();
    vendor.faults().always(CallKind.CREATE, Fault.status(503));

    var refused = agent(run).tool("workspace_exec", "{\"argv\":[\"true\"]}");

    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.code()).isEqualTo("runtime_unavailable");
    assertThat(refused.text()).doesNotContain(vendor.token());
    vendor.faults().clear();
    agent(run).exec("true");
    assertThat(vendor.sprites()).as("the second try").hasSize(1);
    finish(run);
  }

  @Test
  void aRejectedCredentialIsTheOperatorsToMend() {
    var run = external();
    vendor.requireToken("another");
    try {
      var refused = agent(run).tool("workspace_exec", "{\"argv\":[\"true\"]}");

      assertThat(refused.status()).isEqualTo(409);
      assertThat(refused.code()).isEqualTo("runtime_rejected");
      assertThat(refused.text()).doesNotContain(vendor.token());
      assertThat(state(run)).isEqualTo("pending");
    } finally {
      vendor.requireToken(vendor.token());
    }
    finish(run);
  }

  @Test
  void aSandboxThatTheVendorLostIsReplacedAndTheAgentIsTold() {
    var run = external();
    agent(run).exec("sh", "-c", "echo x > file");
    var lost = vendor.sprites().keySet().iterator().next();
    Vendors.delete(vendor, lost);

    var first = agent(run).tool("workspace_exec", "{\"argv\":[\"ls\"]}");
    var second = agent(run).exec("ls");

    assertThat(first.text()).contains("sandbox_lost");
    assertThat(second.get("stdout").asString()).isEmpty();
    assertThat(second.get("notice").asString()).contains("new, empty");
    assertThat(vendor.sprites()).hasSize(1).doesNotContainKey(lost);
    finish(run);
  }

  @Test
  void aReleaseIsRetriedUntilTheVendorConfirms() {
    var run = external();
    agent(run).exec("true");
    vendor.faults().next(3, CallKind.DELETE, Fault.status(500));

    finish(run);

    Await.until(Duration.ofSeconds(60), () -> state(run), "released"::equals);
    assertThat(vendor.sprites()).isEmpty();
  }

  @Test
  void aDisabledRuntimeStillReleasesWhatItMade() {
    var run = external();
    agent(run).exec("true");
    admin.put("/api/settings/agent-runtimes/local", "{\"enabled\":true}").ok();
    admin.put("/api/settings/agent-runtimes/sprites", "{\"enabled\":false}").ok();
    try {
      assertThat(agent(run).exec("echo", "still mine").get("exit_code").asInt()).isZero();
      finish(run);
      Await.until(Duration.ofSeconds(30), () -> state(run), "released"::equals);
      assertThat(vendor.sprites()).isEmpty();
    } finally {
      admin.put("/api/settings/agent-runtimes/sprites", "{\"enabled\":true}").ok();
      admin.put("/api/settings/agent-runtimes/local", "{\"enabled\":false}").ok();
    }
  }

  @Test
  void anOperatorTakesAWorkspaceAwayAtOnce() {
    var run = external();
    agent(run).exec("true");
    var workspace = admin.get("/api/runs/" + id(run)).ok().get("workspace").get("id").asString();

    assertThat(admin.post("/api/workspaces/" + workspace + "/release", "").status()).isEqualTo(202);

    var refused = agent(run).tool("workspace_exec", "{\"argv\":[\"true\"]}");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.code()).isIn("workspace_releasing", "workspace_released");
    Await.until(Duration.ofSeconds(30), vendor::sprites, Map::isEmpty);
    assertThat(admin.get("/api/workspaces/" + workspace).ok().get("release_reason").asString())
        .isEqualTo("operator");
    finish(run);
  }

  private JsonNode external() {
    var run = admin.post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
    started.add(run);
    return run;
  }

  private static int workspaces(String state) {
    return admin.get("/api/workspaces?status=" + state).ok().get("workspaces").size();
  }

  private static Client agent(JsonNode run) {
    return mesh.with(run.get("token").asString());
  }

  private static void finish(JsonNode run) {
    agent(run).post("/api/agent/finish", "{\"status\":\"completed\",\"summary\":\"\"}").ok();
  }

  private static String id(JsonNode run) {
    return run.get("id").asString();
  }

  private static String state(JsonNode run) {
    return admin.get("/api/runs/" + id(run)).ok().get("workspace").get("status").asString();
  }
}
