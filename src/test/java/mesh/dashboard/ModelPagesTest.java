package mesh.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.dashboard.Person.Answer;
import mesh.simulator.model.ModelReply;
import mesh.simulator.model.ModelReply.Call;
import mesh.simulator.model.ModelSimulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Settings, Models, an agent's model, and talking to its run, without any script. */
@ExtendWith(OutputCaptureExtension.class)
class ModelPagesTest {

  private static final String PAGE = "/settings/models";

  private static TestMesh mesh;
  private static Person ada;
  private static Person vera;
  private static ModelSimulator service;

  @BeforeAll
  static void start(CapturedOutput console) throws IOException {
    service = ModelSimulator.start(0);
    mesh = TestMesh.start();
    ada = Person.admin(mesh, console);
    vera = Person.with(mesh, "vera", "viewer");
  }

  @AfterAll
  static void stop() {
    mesh.close();
    service.close();
  }

  private static Map<String, String> form(String name, String key) {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("name", name);
    form.put("wire", "anthropic");
    form.put("base_url", service.anthropic());
    form.put("allow_private", "on");
    form.put("key", key);
    form.put("prices", "big-model 3 0.30 15");
    return form;
  }

  @Test
  void anAdminConnectsAModelAndAnAgentIsToldWhichItAsks() {
    String key = Canaries.fresh("sk-");
    assertThat(ada.page(PAGE)).contains("No connection yet", "never enters a sandbox");

    Answer made = ada.post(PAGE, form("house", key));
    assertThat(made.location()).startsWith(PAGE);
    assertThat(ada.page(PAGE)).contains("house", "Anthropic Messages").doesNotContain(key);

    service.script(_ -> ModelReply.says("ready"));
    Answer tested = ada.post(PAGE + "/house/test", Map.of("model", "big-model"));
    assertThat(tested.location()).isEqualTo(PAGE + "#test-house");
    assertThat(ada.page(PAGE)).contains("big-model", "replied in", "by ada");

    mesh.admin().post("/api/agents", "{\"slug\":\"thinker\",\"name\":\"T\"}").ok();
    Map<String, String> model = new LinkedHashMap<>();
    model.put("connection", "house");
    model.put("model", "big-model");
    model.put("instructions", "Be brief.");
    model.put("max_steps", "0");
    Answer refused = ada.post("/agents/thinker/model", model);
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text()).contains("max_steps", "Be brief.");

    model.put("max_steps", "25");
    assertThat(ada.post("/agents/thinker/model", model).location()).isEqualTo("/agents/thinker");
    assertThat(ada.page("/agents/thinker")).contains("house", "big-model", "at most 25");
    assertThat(ada.post(PAGE + "/house/delete", Map.of()).location()).isEqualTo(PAGE);
    assertThat(ada.page(PAGE)).as("an agent uses it").contains("house", "thinker");

    service.script(request ->
        request.rounds() == 0
            ? ModelReply.calls(new Call("c-1", "ask", "{\"question\":\"Which <one>?\"}"))
            : ModelReply.says("The left one, then."));
    String run =
        mesh.admin()
            .post("/api/runs", "{\"agent\":\"thinker\",\"input\":\"Choose.\"}")
            .ok()
            .get("id")
            .asString();
    Await.until(
        Duration.ofSeconds(30),
        () -> mesh.admin().get("/api/runs/" + run).ok().get("status").asString(),
        "awaiting_input"::equals);
    assertThat(ada.page("/runs/" + run)).contains("Say something to the run", "Which &lt;one");
    assertThat(vera.page("/runs/" + run)).doesNotContain("Say something to the run");
    assertThat(ada.post("/runs/" + run + "/messages", Map.of("text", "Left.")).location())
        .isEqualTo("/runs/" + run);
    Await.until(
        Duration.ofSeconds(30),
        () -> mesh.admin().get("/api/runs/" + run).ok().get("status").asString(),
        "completed"::equals);
    assertThat(ada.page("/runs/" + run)).contains("The left one, then.", "Left.");
    assertThat(service.requests().getLast().key()).isEqualTo(key);
  }

  @Test
  void whatIsWrongIsToldAndTheKeyIsNotShownAgain() {
    String key = Canaries.fresh("sk-");
    Map<String, String> wrong = form("wrong", key);
    wrong.put("base_url", "http://169.254.169.254/latest");

    Answer refused = ada.post(PAGE, wrong);

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text()).contains("value=\"wrong\"", "169.254.169.254").doesNotContain(key);
    assertThat(ada.page(PAGE)).doesNotContain("settings/models/wrong");
  }

  @Test
  void whoMayOnlyLookChangesNothing() {
    assertThat(vera.page(PAGE)).doesNotContain("Make a connection");
    assertThat(vera.post(PAGE, form("theirs", "x")).status()).isEqualTo(403);
  }
}
