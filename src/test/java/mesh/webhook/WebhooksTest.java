package mesh.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import mesh.Await;
import mesh.Canaries;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import mesh.agent.AgentId;
import mesh.database.TestDatabase;
import mesh.run.RunAwaitsInput;
import mesh.run.RunId;
import mesh.webhook.Receiver.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Runs, and receivers that are told of them, over real HTTP both ways. */
class WebhooksTest {

  private static final String API = "/api/settings/webhooks";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final AtomicInteger COUNT = new AtomicInteger();

  private static final TestDatabase DATABASE = TestDatabase.fresh();
  private static TestMesh mesh;
  private static Client admin;

  private final Receiver receiver = Receiver.start();
  private final String agent = "agent-" + COUNT.incrementAndGet();

  @BeforeAll
  static void start() {
    mesh =
        TestMesh.on(
            DATABASE,
            "mesh.webhooks.timeout=2s",
            "mesh.webhooks.period=200ms",
            "mesh.webhooks.retries=50ms,100ms,100ms");
    admin = mesh.admin();
  }

  @AfterAll
  static void stop() {
    mesh.close();
  }

  @BeforeEach
  void anAgent() {
    admin
        .post(
            "/api/agents",
            "{\"slug\":\"%s\",\"name\":\"A\",\"max_compute_seconds\":2}".formatted(agent))
        .ok();
  }

  @AfterEach
  void nobodyListens() {
    admin.get(API).ok().get("webhooks").forEach(it -> admin.delete(API + "/" + id(it)));
    receiver.close();
  }

  private JsonNode webhook(String... events) {
    return webhook(receiver, events);
  }

  private JsonNode webhook(Receiver to, String... events) {
    var body = TestMesh.JSON.createObjectNode();
    body.put("name", "hook-" + COUNT.incrementAndGet()).put("url", to.url());
    body.put("allow_private", true).putArray("agents").add(agent);
    List.of(events).forEach(body.putArray("events")::add);
    var created = admin.post(API, body);
    assertThat(created.status()).isEqualTo(201);
    return created.json();
  }

  private static String id(JsonNode thing) {
    return thing.get("id").asString();
  }

  private Started run() {
    var created =
        admin.post("/api/runs", "{\"agent\":\"%s\",\"mode\":\"external\"}".formatted(agent)).ok();
    return new Started(id(created), mesh.with(created.get("token").asString()));
  }

  private record Started(String id, Client client) {

    void finish(String summary) {
      client
          .post(
              "/api/agent/finish",
              TestMesh.JSON.createObjectNode().put("status", "completed").put("summary", summary))
          .ok();
    }
  }

  private static List<JsonNode> log(JsonNode webhook, String query) {
    var rows = new java.util.ArrayList<JsonNode>();
    admin
        .get(API + "/" + id(webhook) + "/deliveries" + query)
        .ok()
        .get("deliveries")
        .forEach(rows::add);
    return rows;
  }

  private static JsonNode last(JsonNode webhook, String status) {
    return Await.until(
            PATIENCE,
            () -> log(webhook, ""),
            rows -> !rows.isEmpty() && rows.getFirst().get("status").asString().equals(status))
        .getFirst();
  }

  /** HRN-7. */
  @Test
  void aRunIsToldOfFromItsBeginningToItsEndAndSigned() {
    var webhook = webhook("run.created", "run.notice", "run.ended");
    var run = run();
    run.client().exec("true");
    run.finish("All is well.");

    var calls = receiver.await(3);

    assertThat(receiver.types()).containsExactly("run.created", "run.notice", "run.ended");
    assertThat(calls).allMatch(call -> call.isSignedWith(webhook.get("secret").asString()));
    assertThat(calls).allMatch(call -> call.id().equals(call.json().get("id").asString()));
    var created = calls.getFirst().json().get("data");
    assertThat(created.get("run").get("id").asString()).isEqualTo(run.id());
    assertThat(created.get("run").get("agent").asString()).isEqualTo(agent);
    assertThat(created.get("run").get("url").asString())
        .isEqualTo(mesh.url() + "/runs/" + run.id());
    assertThat(created.get("mode").asString()).isEqualTo("external");
    // WSP-9: a slow start is no silence.
    var notice = calls.get(1).json().get("data");
    assertThat(notice.get("notice").asString()).isEqualTo("sandbox_starting");
    assertThat(notice.get("text").asString()).startsWith("Setting up a sandbox on ");
    var ended = calls.getLast().json().get("data");
    assertThat(ended.get("run").get("status").asString()).isEqualTo("completed");
    assertThat(ended.get("summary").asString()).isEqualTo("All is well.");
    assertThat(ended.get("usage").get("compute_seconds").asDouble()).isPositive();
    Await.until(PATIENCE, () -> log(webhook, "?status=delivered"), it -> it.size() == 3);
  }

  /** BGT-2. */
  @Test
  void whyARunThatUsedUpItsComputeStoppedIsTold() {
    webhook("run.ended");
    var run = run();
    Thread.ofVirtual()
        .start(() -> run.client().tool("workspace_exec", "{\"argv\":[\"sleep\",\"30\"]}"));

    var ended = receiver.await(1).getFirst().json().get("data");

    assertThat(ended.get("run").get("status").asString()).isEqualTo("budget_exhausted");
    assertThat(ended.get("reason").asString()).startsWith("I stopped after 2 seconds of compute");
  }

  @Test
  void aRunThatWaitsIsToldWithItsQuestion() {
    webhook("run.awaiting_input");
    var run = run();

    mesh.bean(Outbox.class)
        .awaitsInput(
            new RunAwaitsInput(
                new RunId(UUID.fromString(run.id())), new AgentId(UUID.randomUUID()), "Which?"));

    assertThat(receiver.await(1).getFirst().json().get("data").get("question").asString())
        .isEqualTo("Which?");
  }

  @Test
  void onlyWhatWasAskedForIsTold() {
    webhook("run.ended");
    var other = Receiver.start();
    try (other) {
      admin
          .post(
              API,
              "{\"name\":\"other\",\"url\":\"%s\",\"allow_private\":true,\"events\":[\"run.ended\"],\"enabled\":false}"
                  .formatted(other.url()))
          .ok();
      run().finish("a");

      receiver.await(1);

      assertThat(receiver.types()).containsExactly("run.ended");
      assertThat(other.calls()).isEmpty();
    }
  }

  @Test
  void aSecretOfTheRunIsInNoPayload() {
    var token = Canaries.fresh("ghp_");
    admin
        .put(
            "/api/agents/" + agent + "/credentials/github",
            "{\"token\":\"%s\",\"account\":{\"login\":\"bot\"}}".formatted(token))
        .ok();
    var webhook = webhook("run.ended");
    run().finish("used " + token);

    var body = receiver.await(1).getFirst().body();

    assertThat(body).contains("used [REDACTED]");
    assertThat(Canaries.in(body)).isEmpty();
    assertThat(Canaries.in(log(webhook, "").toString())).isEmpty();
  }

  /** A failure holds back what happened later to the same run. */
  @Test
  void whatFailsIsTriedAgainAndTheOrderStays() {
    var failures = new AtomicInteger(2);
    receiver.replies(call ->
        call.type().equals("run.created") && failures.getAndDecrement() > 0
            ? Reply.of(500, "no\u0007t  now")
            : Reply.OK);
    var webhook = webhook("run.created", "run.ended");
    run().finish("a");

    receiver.await(4);

    assertThat(receiver.types())
        .containsExactly("run.created", "run.created", "run.created", "run.ended");
    assertThat(receiver.calls().subList(0, 3).stream().map(Receiver.Call::id).distinct())
        .hasSize(1);
    var created =
        Await.until(PATIENCE, () -> log(webhook, "?status=delivered"), it -> it.size() == 2)
            .getLast();
    assertThat(created.get("attempts").asInt()).isEqualTo(3);
    assertThat(created.get("last_status").asInt()).isEqualTo(204);
  }

  @Test
  void whatFailsTooOftenIsGivenUpAndCanBeToldOnceMore() {
    receiver.replies(_ -> Reply.of(500, "b\u0007roken\n here"));
    var webhook = webhook("run.ended");
    run().finish("a");

    var given = last(webhook, "given_up");

    assertThat(given.get("attempts").asInt()).isEqualTo(4);
    assertThat(given.get("last_error").asString()).isEqualTo("Answered 500: b roken here");
    assertThat(given.get("next_attempt_at").isNull()).isTrue();
    assertThat(admin.get("/api/activity?action=webhook.given_up").text()).contains(id(given));
    receiver.replies(_ -> Reply.OK);
    admin.post(API + "/" + id(webhook) + "/deliveries/" + id(given) + "/redeliver", "").ok();
    assertThat(last(webhook, "delivered").get("attempts").asInt()).isEqualTo(1);
    assertThat(receiver.calls().stream().map(Receiver.Call::id).distinct()).hasSize(1);
  }

  @Test
  void aReceiverThatHangsDelaysNoOther() {
    try (var hanging = Receiver.start().replies(_ -> Reply.HANG)) {
      var slow = webhook(hanging, "run.created");
      webhook("run.created");
      for (int i = 0; i < 10; i++) {
        run();
      }
      long begun = System.nanoTime();

      receiver.await(10);

      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(2));
      var late = Await.until(PATIENCE, () -> log(slow, "?status=failed"), it -> !it.isEmpty());
      assertThat(late.getFirst().get("last_error").asString()).isEqualTo("No answer within 2 s.");
    }
  }

  @Test
  void aReceiverThatIsGoneIsToldNothingMore() {
    receiver.replies(_ -> Reply.of(410));
    var webhook = webhook("run.created");
    run();
    last(webhook, "given_up");
    run();

    var now = admin.get(API + "/" + id(webhook)).ok();

    assertThat(now.get("state").asString()).isEqualTo("gone");
    assertThat(now.get("enabled").asBoolean()).isFalse();
    assertThat(log(webhook, "")).hasSize(1);
    assertThat(receiver.calls()).hasSize(1);
    assertThat(admin.get("/api/activity?action=webhook.gone").text()).contains("hook-");
    assertThat(
            admin.patch(API + "/" + id(webhook), "{\"enabled\":true}").ok().get("state").asString())
        .isEqualTo("active");
  }

  @Test
  void forADayAfterARotationBothSecretsCount() {
    var given = "whsec_" + Base64.getEncoder().encodeToString(Canaries.fresh("").getBytes(UTF_8));
    var webhook = webhook("run.created");
    var before = webhook.get("secret").asString();

    var rotated =
        admin
            .post(API + "/" + id(webhook) + "/rotate", "{\"secret\":\"%s\"}".formatted(given))
            .ok();
    run();

    var call = receiver.await(1).getFirst();
    assertThat(call.isSignedWith(before)).isTrue();
    assertThat(call.isSignedWith(given)).isTrue();
    assertThat(rotated.has("secret")).as("who gave it has it").isFalse();
    assertThat(admin.get(API + "/" + id(webhook)).text()).doesNotContain("whsec_");
    DATABASE
        .jdbc()
        .sql(
            "update webhooks set previous_secret_until = now() where previous_secret_until is not null")
        .update();
    run();
    assertThat(receiver.await(2).getLast().isSignedWith(before)).isFalse();
    assertThat(receiver.calls().getLast().isSignedWith(given)).isTrue();
  }

  @Test
  void aTestTellsWhatCameBack() {
    var webhook = webhook("run.ended");

    var ok = admin.post(API + "/" + id(webhook) + "/test", "").ok();
    receiver.replies(_ -> Reply.of(401, webhook.get("secret").asString()));
    var refused = admin.post(API + "/" + id(webhook) + "/test", "").ok();

    assertThat(ok.get("ok").asBoolean()).isTrue();
    assertThat(ok.get("status").asInt()).isEqualTo(204);
    assertThat(receiver.types()).containsExactly("ping", "ping");
    assertThat(receiver.calls())
        .allMatch(call -> call.isSignedWith(webhook.get("secret").asString()));
    assertThat(refused.get("ok").asBoolean()).isFalse();
    assertThat(refused.get("error").asString()).isEqualTo("Answered 401: [REDACTED]");
    assertThat(admin.get("/api/activity?action=webhook.tested").text()).doesNotContain("whsec_");
  }

  @Test
  void whatIsWrongIsToldAtItsField() {
    for (var body :
        Map.of(
                "{\"url\":\"https://a.test\",\"events\":[\"run.ended\"]}", "/name",
                "{\"name\":\"a\",\"events\":[\"run.ended\"]}", "/url",
                "{\"name\":\"a\",\"url\":\"https://a.test\",\"events\":[]}", "/events",
                "{\"name\":\"a\",\"url\":\"https://a.test\",\"events\":[\"ping\"]}", "/events",
                "{\"name\":\"a\",\"url\":\"https://a.test\",\"events\":[\"run.ended\"],\"agents\":[]}",
                    "/agents",
                "{\"name\":\"a\",\"url\":\"https://a.test\",\"events\":[\"run.ended\"],\"agents\":[\"nobody\"]}",
                    "/agents",
                "{\"name\":\"a\",\"url\":\"https://a.test\",\"events\":[\"run.ended\"],\"secret\":\"short\"}",
                    "/secret")
            .entrySet()) {
      var answer = admin.post(API, body.getKey());

      assertThat(answer.status()).as(body.getKey()).isEqualTo(400);
      assertThat(answer.json().get("pointer").asString()).isEqualTo(body.getValue());
    }
    var webhook = webhook("run.ended");
    var again =
        "{\"name\":\"%s\",\"url\":\"https://a.test\",\"events\":[\"run.ended\"]}"
            .formatted(webhook.get("name").asString());
    assertThat(admin.post(API, again).code()).isEqualTo("webhook_name_taken");
    assertThat(admin.get(API + "/" + UUID.randomUUID()).code()).isEqualTo("webhook_unknown");
    assertThat(admin.get(API + "/" + id(webhook) + "/deliveries?status=odd").code())
        .isEqualTo("status_unknown");
    assertThat(
            admin
                .post(
                    API + "/" + id(webhook) + "/deliveries/" + UUID.randomUUID() + "/redeliver", "")
                .code())
        .isEqualTo("delivery_unknown");
  }

  /** Case 81, for Mesh's own calls. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "2130706433",
        "127.1",
        "0x7f.0.0.1",
        "0177.0.0.1",
        "[::ffff:169.254.169.254]",
        "[::127.0.0.1]",
        "[64:ff9b::a9fe:a9fe]",
        "0.0.0.0",
        "127.0.0.1",
        "localhost",
        "169.254.169.254"
      })
  void noWebhookLeadsToThisMachineOrItsMetadata(String host) {
    var answer =
        admin.post(
            API,
            "{\"name\":\"a\",\"url\":\"https://%s/\",\"events\":[\"run.ended\"]}".formatted(host));

    assertThat(answer.code()).isEqualTo("webhook_url_refused");
  }

  /** Case 81: the check is at the connection, and no redirect leads past it. */
  @Test
  void whatLeadsElsewhereLaterIsNotFollowed() {
    receiver.replies(_ -> Reply.of(302, Map.of("Location", receiver.url() + "2")));
    var webhook = webhook("run.ended");

    var redirected = admin.post(API + "/" + id(webhook) + "/test", "").ok();

    assertThat(redirected.get("error").asString()).contains("302", "follows no redirect");
    assertThat(receiver.calls()).hasSize(1);
    DATABASE
        .jdbc()
        .sql(
            "update webhooks set allow_private = false, url = replace(url, 'http:', 'https:') where id = :id")
        .param("id", UUID.fromString(id(webhook)))
        .update();
    var refused = admin.post(API + "/" + id(webhook) + "/test", "").ok();
    assertThat(refused.get("error").asString()).contains("127.0.0.1", "private network");
    assertThat(receiver.calls()).hasSize(1);
  }

  @Test
  void aDeletedAgentKeepsNobodyFromAChange() {
    var webhook = webhook("run.created");
    admin.delete("/api/agents/" + agent);

    var changed = admin.patch(API + "/" + id(webhook), "{\"enabled\":false}").ok();

    assertThat(changed.get("state").asString()).isEqualTo("disabled");
    assertThat(changed.get("agents").toString()).contains(agent);
  }

  @Test
  void whatIsPausedKeepsWhatHappensUntilItIsEnabled() {
    var webhook = webhook("run.created");
    DATABASE
        .jdbc()
        .sql("update webhooks set state = 'paused' where id = :id")
        .param("id", UUID.fromString(id(webhook)))
        .update();
    run();
    assertThat(log(webhook, "?status=pending")).hasSize(1);

    admin.patch(API + "/" + id(webhook), "{\"enabled\":true}").ok();

    receiver.await(1);
  }
}
