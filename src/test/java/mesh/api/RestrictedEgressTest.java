package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
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

/** What becomes of workspaces on a runtime that keeps an allowlist. */
class RestrictedEgressTest {

  private static SpritesSimulator vendor;

  /** What is on no list. Answers once it is started. */
  private static HttpServer forbidden;

  private static TestMesh mesh;
  private static Client admin;

  private JsonNode run;

  @BeforeAll
  static void start() throws IOException {
    vendor = SpritesSimulator.start(0);
    forbidden = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    mesh = TestMesh.start("mesh.egress.probe=127.0.0.1:" + forbidden.getAddress().getPort());
    Runtimes.onlySprites(mesh, vendor);
    admin = mesh.admin();
    admin
        .put(
            "/api/settings/agent-runtimes/sprites",
            "{\"enabled\":true,\"config\":{\"restrict_network\":true}}")
        .ok();
    admin.post("/api/agents", "{\"slug\":\"builder\",\"name\":\"B\"}").ok();
  }

  @AfterAll
  static void stop() {
    mesh.close();
    vendor.close();
    forbidden.stop(0);
  }

  @BeforeEach
  void aRunUnderAList() {
    vendor.forgetCalls();
    set("first.test");
    run = external("");
  }

  @AfterEach
  void itEnds() {
    vendor.faults().clear();
    finish(run);
  }

  private static void set(String domain) {
    admin
        .put(
            "/api/settings/workspace-egress",
            "{\"mode\":\"allowlist\",\"domains\":[\"%s\"],\"uncontrolled\":\"refuse\"}"
                .formatted(domain))
        .ok();
  }

  private static JsonNode external(String more) {
    return admin
        .post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"%s}".formatted(more))
        .ok();
  }

  private static Client agent(JsonNode run) {
    return mesh.with(run.get("token").asString());
  }

  private static void finish(JsonNode run) {
    var _ = agent(run).post("/api/agent/finish", "{\"status\":\"completed\"}");
  }

  private static JsonNode workspace(JsonNode run) {
    var id =
        admin
            .get("/api/runs/" + run.get("id").asString())
            .ok()
            .get("workspace")
            .get("id")
            .asString();
    return admin.get("/api/workspaces/" + id).ok();
  }

  private static List<String> allowed(JsonNode run) {
    return workspace(run)
        .get("egress")
        .get("domains")
        .valueStream()
        .map(JsonNode::asString)
        .toList();
  }

  private static List<String> allowedAtTheVendor() {
    var newest =
        vendor.sprites().entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
    return vendor.policy(newest.getKey()).stream()
        .filter(rule -> rule.get("action").equals("allow"))
        .map(rule -> rule.get("domain"))
        .toList();
  }

  /** EGR-3 and EGR-6: what the vendor was told is what the row says. */
  @Test
  void theVendorIsToldTheEffectiveListAndTheRowKeepsItWithItsGrade() {
    agent(run).exec("true");

    assertThat(allowed(run)).contains("first.test", "github.com", "*.debian.org");
    assertThat(allowedAtTheVendor()).containsExactlyElementsOf(allowed(run));
    assertThat(workspace(run).get("egress").get("grade").asString()).isEqualTo("dns");
    assertThat(
            admin
                .get("/api/runs/" + run.get("id").asString() + "/grants")
                .ok()
                .get("egress")
                .get("grade")
                .asString())
        .isEqualTo("dns");
    assertThat(vendor.calls(CallKind.POLICY_WRITE)).hasSize(1);
  }

  /** EGR-6: a cold retry of an acquisition goes by what was settled first. */
  @Test
  void aRetryAfterALostAnswerKeepsTheFirstList() {
    vendor.faults().next(20, CallKind.POLICY_WRITE, Fault.status(503));
    assertThat(agent(run).tool("workspace_exec", "{\"argv\":[\"true\"]}").code())
        .isEqualTo("runtime_unavailable");
    vendor.faults().clear();
    set("second.test");

    agent(run).exec("true");

    assertThat(allowed(run)).contains("first.test").doesNotContain("second.test");
    assertThat(allowedAtTheVendor()).containsExactlyElementsOf(allowed(run));
    assertThat(vendor.calls(CallKind.EXEC))
        .as("nothing ran before the policy was set")
        .isNotEmpty();
  }

  /** EGR-6: nor does a replacement get another, and it is restricted like the first. */
  @Test
  void aReplacementIsRestrictedLikeTheFirst() {
    agent(run).exec("true");
    vendor.sprites().keySet().forEach(sprite -> Vendors.delete(vendor, sprite));
    set("second.test");

    assertThat(agent(run).tool("workspace_exec", "{\"argv\":[\"true\"]}").text())
        .contains("sandbox_lost");
    agent(run).exec("true");

    assertThat(allowedAtTheVendor()).contains("first.test").doesNotContain("second.test");
  }

  /** EGR-6: a held sandbox keeps its list for the next run, and that run's page says so. */
  @Test
  void theNextRunInAHeldSandboxGoesByTheListItWasMadeWith() {
    finish(run);
    var conversation = ",\"conversation\":\"" + UUID.randomUUID() + "\"";
    run = external(conversation);
    agent(run).exec("true");
    finish(run);
    Await.until(
        Duration.ofSeconds(30), () -> workspace(run).get("status").asString(), "held"::equals);
    set("second.test");

    run = external(conversation);
    agent(run).exec("true");

    assertThat(allowed(run)).contains("first.test").doesNotContain("second.test");
    assertThat(vendor.calls(CallKind.CREATE)).hasSize(1);
    var fresh = external("");
    agent(fresh).exec("true");
    assertThat(allowed(fresh)).contains("second.test").doesNotContain("first.test");
    finish(fresh);
  }

  /** The operator turned the switch off in between: no sandbox without the list. */
  @Test
  void aRuntimeThatCannotRestrictAnyMoreMakesNoReplacement() {
    agent(run).exec("true");
    vendor.sprites().keySet().forEach(sprite -> Vendors.delete(vendor, sprite));
    restrict(false);
    try {
      assertThat(agent(run).tool("workspace_exec", "{\"argv\":[\"true\"]}").text())
          .contains("sandbox_lost");
      vendor.forgetCalls();

      assertThat(agent(run).tool("workspace_exec", "{\"argv\":[\"true\"]}").code())
          .isEqualTo("egress_uncontrolled");
      assertThat(vendor.calls(CallKind.CREATE)).isEmpty();
    } finally {
      restrict(true);
    }
  }

  private static JsonNode trial() {
    return admin.post("/api/settings/agent-runtimes/sprites/test", "").ok();
  }

  private static void restrict(boolean on) {
    admin
        .put(
            "/api/settings/agent-runtimes/sprites",
            "{\"config\":{\"restrict_network\":" + on + "}}")
        .ok();
  }

  /** EXE-14a: what a vendor says it keeps is tried from inside before it is believed. */
  @Test
  void theTrialOfTheRuntimeGoesByTheListTooAndTriesIt() {
    forbidden.createContext("/", exchange -> exchange.sendResponseHeaders(204, -1));
    forbidden.start();
    var answered = trial();
    assertThat(answered.get("ok").asBoolean()).isFalse();
    assertThat(answered.get("steps").get(4).get("error").asString())
        .contains("does not keep it", "127.0.0.1:" + forbidden.getAddress().getPort());
    forbidden.stop(0);

    var refused = trial();

    assertThat(refused.get("ok").asBoolean()).as(refused.toString()).isTrue();
    assertThat(refused.get("steps").valueStream().map(it -> it.get("step").asString()))
        .containsExactly("acquire", "exec", "write", "read", "egress", "release");
    assertThat(vendor.calls(CallKind.POLICY_WRITE)).hasSize(2);
    Await.until(Duration.ofSeconds(30), vendor::sprites, Map::isEmpty);
  }
}
