package mesh.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import mesh.Await;
import mesh.TestMesh;
import mesh.dashboard.Person.Answer;
import mesh.database.TestDatabase;
import mesh.webhook.Receiver;
import mesh.webhook.Receiver.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Settings, Webhooks, without any script. */
@ExtendWith(OutputCaptureExtension.class)
class WebhookPagesTest {

  private static final String PAGE = "/settings/webhooks";
  private static final Pattern SECRET = Pattern.compile("whsec_[A-Za-z0-9+/=]+");
  private static final Pattern ONE = Pattern.compile("action=\"(/settings/webhooks/[0-9a-f-]+)\"");
  private static final Pattern AGAIN =
      Pattern.compile("action=\"(/settings/webhooks/[0-9a-f-]+/deliveries/[^\"]+)\"");

  private static final TestDatabase DATABASE = TestDatabase.fresh();
  private static TestMesh mesh;
  private static Person ada;
  private static Person vera;

  private final Receiver receiver = Receiver.start();

  @BeforeAll
  static void start(CapturedOutput console) {
    mesh = TestMesh.on(DATABASE, "mesh.webhooks.retries=50ms");
    ada = Person.admin(mesh, console);
    vera = Person.with(mesh, "vera", "viewer");
    mesh.admin().post("/api/agents", "{\"slug\":\"builder\",\"name\":\"B\"}").ok();
  }

  @AfterAll
  static void stop() {
    mesh.close();
  }

  @AfterEach
  void nobodyListens() {
    mesh.admin()
        .get("/api/settings/webhooks")
        .ok()
        .get("webhooks")
        .forEach(it -> mesh.admin().delete("/api/settings/webhooks/" + it.get("id").asString()));
    receiver.close();
  }

  private Map<String, String> form(String name) {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("name", name);
    form.put("url", receiver.url());
    form.put("allow_private", "on");
    form.put("event:run.ended", "on");
    form.put("agents", "builder");
    return form;
  }

  /** Adds one and returns its page's address. */
  private String added(String name) {
    Answer shown = ada.post(PAGE, form(name));
    assertThat(shown.status()).isEqualTo(200);
    return found(ONE, shown.text());
  }

  private static String found(Pattern pattern, String text) {
    var match = pattern.matcher(text);
    assertThat(match.find()).as(pattern + " in " + text).isTrue();
    return match.groupCount() == 0 ? match.group() : match.group(1);
  }

  private static void aRunEnds() {
    var run = mesh.admin().post("/api/runs", "{\"agent\":\"builder\",\"mode\":\"external\"}").ok();
    mesh.admin().post("/api/runs/" + run.get("id").asString() + "/cancel", "").ok();
  }

  @Test
  void theSecretIsShownOnceWhenItIsMadeAndOnceWhenItIsRotated() {
    assertThat(ada.page(PAGE)).contains("Nobody is told anything", "Add a webhook…");
    Answer shown = ada.post(PAGE, form("chat"));
    String page = found(ONE, shown.text());

    assertThat(shown.text()).contains("shown this once");
    String first = found(SECRET, shown.text());
    assertThat(ada.page(page)).doesNotContain("whsec_");
    Answer rotated = ada.post(page + "/rotate", Map.of());
    assertThat(found(SECRET, rotated.text())).isNotEqualTo(first);
    assertThat(ada.page(page)).contains("The one before counts too until").doesNotContain("whsec_");
    assertThat(ada.page(PAGE)).contains("chat", "run.ended", "builder", "Enabled");
    assertThat(
            DATABASE
                .jdbc()
                .sql(
                    "select count(*) from spring_session_attributes where encode(attribute_bytes, 'escape') like '%whsec%'")
                .query(Integer.class)
                .single())
        .as("in a session")
        .isZero();
  }

  @Test
  void whatIsWrongIsToldAndNothingTypedIsLost() {
    var wrong = form("mine");
    wrong.remove("allow_private");
    wrong.put("secret", "whsec_typed");

    Answer refused = ada.post(PAGE, wrong);

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text())
        .contains("must be whsec_ and the base64 of 24 to 64 bytes")
        .doesNotContain("whsec_typed");
    wrong.remove("secret");
    assertThat(ada.post(PAGE, wrong).text())
        .contains("href=\"#webhook-url\"", "value=\"mine\"", "private network")
        .contains("value=\"" + receiver.url() + "\"");
    wrong.remove("event:run.ended");
    assertThat(ada.post(PAGE, wrong).text()).contains("href=\"#webhook-events\"");
  }

  @Test
  void theLogTellsWhatCameOfEachAndSendsOneAgain() {
    receiver.replies(_ -> Reply.of(500, "<b>down</b>"));
    String page = added("log");
    aRunEnds();

    String failed =
        Await.until(
            Duration.ofSeconds(20), () -> ada.page(page), it -> it.contains("Given up</span>"));

    assertThat(failed)
        .contains(
            "Answered 500: &lt;b&gt;down&lt;/b&gt;", "<code>run.ended</code>", "\"cancelled\"");
    receiver.replies(_ -> Reply.OK);
    assertThat(ada.done(found(AGAIN, failed), Map.of())).contains("It is sent once more.");
    Await.until(
        Duration.ofSeconds(20),
        () -> ada.page(page + "?status=delivered"),
        it -> it.contains("<code>204</code>"));
    assertThat(ada.page(page + "?status=given_up")).contains("No delivery has this status");
  }

  @Test
  void itIsTestedChangedDisabledAndDeleted() {
    String page = added("one");

    assertThat(ada.done(page + "/test", Map.of())).contains("The receiver took the test.");
    receiver.replies(_ -> Reply.of(503));
    assertThat(ada.done(page + "/test", Map.of()))
        .contains("did not take the test", "Answered 503");
    assertThat(ada.done(page + "/disable", Map.of())).contains("Webhook one is disabled");
    assertThat(ada.done(page + "/enable", Map.of())).contains("Webhook one is enabled");
    var changed = form("two");
    changed.put("agents", "");
    assertThat(ada.done(page, changed)).contains("Webhook two is saved", "All");
    assertThat(ada.done(page + "/delete", Map.of())).contains("Webhook two is deleted");
    assertThat(ada.get(page).status()).isEqualTo(404);
  }

  @Test
  void onePausedIsToldOnEveryPage() {
    String page = added("sad");
    DATABASE
        .jdbc()
        .sql("update webhooks set state = 'paused', state_reason = 'Nothing was delivered.'")
        .update();

    assertThat(ada.page("/runs")).contains("1 webhook is not told anything any more");
    assertThat(ada.page(page)).contains("Paused", "Nothing was delivered.");
  }

  @Test
  void viewersSeeThemAndCannotChangeThem() {
    String page = added("seen");

    assertThat(vera.page(PAGE)).contains("seen").doesNotContain("Add a webhook…");
    assertThat(vera.page(page)).contains("Deliveries").doesNotContain("Rotate the secret");
    assertThat(vera.post(page + "/test", Map.of()).status()).isEqualTo(403);
    assertThat(vera.post(PAGE, form("x")).status()).isEqualTo(403);
  }
}
