package mesh.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import mesh.TestMesh;
import mesh.activity.Activity;
import mesh.database.Instances;
import mesh.database.TestDatabase;
import mesh.outbound.OutboundGuard;
import mesh.webhook.Receiver.Reply;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Days of trouble with a receiver, by a clock that a test moves: nothing is sent by itself. */
class WebhookScheduleTest {

  private static final WebhookLimits LIMITS =
      new WebhookLimits(
          Duration.ofSeconds(2),
          List.of(
              Duration.ofSeconds(5),
              Duration.ofSeconds(30),
              Duration.ofMinutes(2),
              Duration.ofMinutes(10),
              Duration.ofHours(1),
              Duration.ofHours(6),
              Duration.ofHours(24)),
          Duration.ofDays(3),
          Duration.ofDays(30),
          Duration.ofHours(1));

  private static final TestDatabase DATABASE = TestDatabase.fresh();
  private static TestMesh mesh;
  private static DeliveryRepository rows;
  private static UUID instance;

  private final Receiver receiver = Receiver.start();
  private final Moved clock = new Moved();
  private Caller caller;
  private Outcomes outcomes;
  private WebhookId webhook = new WebhookId(new UUID(0, 0));

  @BeforeAll
  static void start() {
    mesh = TestMesh.on(DATABASE, "mesh.webhooks.period=1h");
    mesh.bean(Dispatcher.class).stop();
    rows = mesh.bean(DeliveryRepository.class);
    instance = mesh.bean(Instances.class).instanceId();
    mesh.admin().post("/api/agents", "{\"slug\":\"a\",\"name\":\"A\"}").ok();
  }

  @AfterAll
  static void stop() {
    mesh.close();
  }

  @BeforeEach
  void oneListens() {
    caller =
        new Caller(mesh.bean(OutboundGuard.class), mesh.bean(SealedSecrets.class), clock, LIMITS);
    outcomes = new Outcomes(rows, mesh.bean(Activity.class), LIMITS, new Random(1), clock);
    webhook =
        new WebhookId(
            UUID.fromString(
                mesh.admin()
                    .post(
                        "/api/settings/webhooks",
                        "{\"name\":\"%s\",\"url\":\"%s\",\"allow_private\":true,\"events\":[\"run.created\"]}"
                            .formatted(receiver.url(), receiver.url()))
                    .ok()
                    .get("id")
                    .asString()));
  }

  @AfterEach
  void nobodyListens() {
    mesh.admin().delete("/api/settings/webhooks/" + webhook);
    receiver.close();
  }

  private static void run() {
    mesh.admin().post("/api/runs", "{\"agent\":\"a\",\"mode\":\"external\"}").ok();
  }

  private List<ClaimedDelivery> claim(UUID by) {
    return rows.claim(webhook, by, Duration.ofSeconds(9), 10, clock.instant());
  }

  /** One pass of what the dispatcher does; how many calls that were. */
  private int pass() {
    var claimed = claim(instance);
    for (var delivery : claimed) {
      var answer = caller.call(delivery.target(), delivery.id().toString(), delivery.payload());
      new TransactionTemplate(mesh.bean(PlatformTransactionManager.class))
          .executeWithoutResult(_ -> outcomes.record(delivery, answer));
    }
    return claimed.size();
  }

  private LoggedDelivery only() {
    var all = mesh.bean(DeliveryLogRepository.class).newest(webhook, null, null, 10);
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  private Webhook state() {
    return mesh.bean(Webhooks.class).get(webhook);
  }

  @Test
  void eachFailureIsFollowedByALongerWaitUntilItIsGivenUp() {
    receiver.replies(_ -> Reply.of(500));
    run();
    clock.pass(Duration.ofSeconds(1));

    for (var wait : LIMITS.retries()) {
      assertThat(pass()).isEqualTo(1);
      assertThat(only().status()).isEqualTo(DeliveryStatus.FAILED);
      clock.pass(wait.multipliedBy(8).dividedBy(10).minusMillis(1));
      assertThat(pass()).as("too early after " + wait).isZero();
      clock.pass(wait.multipliedBy(4).dividedBy(10).plusMillis(2));
    }
    assertThat(pass()).isEqualTo(1);

    assertThat(only().status()).isEqualTo(DeliveryStatus.GIVEN_UP);
    assertThat(only().attempts()).isEqualTo(8);
    assertThat(receiver.calls()).hasSize(8);
    assertThat(receiver.calls().stream().map(Receiver.Call::id).distinct()).hasSize(1);
    assertThat(receiver.calls().stream().map(Receiver.Call::timestamp).distinct())
        .as("each attempt has its own time")
        .hasSize(8);
  }

  @Test
  void afterAnOutageEverythingIsDelivered() {
    receiver.replies(_ -> Reply.of(502));
    for (int i = 0; i < 5; i++) {
      run();
    }
    clock.pass(Duration.ofSeconds(1));
    for (int i = 0; i < 4; i++) {
      pass();
      clock.pass(Duration.ofHours(2));
    }
    assertThat(state().failingSince()).isNotNull();
    receiver.replies(_ -> Reply.OK);

    clock.pass(Duration.ofHours(8));
    assertThat(pass()).isEqualTo(5);

    assertThat(
            mesh.bean(DeliveryLogRepository.class)
                .newest(webhook, DeliveryStatus.DELIVERED, null, 10))
        .hasSize(5);
    assertThat(state().failingSince()).isNull();
  }

  @Test
  void whatFailsForDaysIsPausedAndThatIsAudited() {
    receiver.replies(_ -> Reply.of(500));
    run();
    clock.pass(Duration.ofSeconds(1));
    pass();
    clock.pass(Duration.ofDays(3).plusMinutes(1));
    assertThat(state().state()).isEqualTo(WebhookState.ACTIVE);

    pass();

    assertThat(state().state()).isEqualTo(WebhookState.PAUSED);
    assertThat(state().stateReason()).contains("Nothing was delivered since", "Answered 500");
    assertThat(mesh.admin().get("/api/activity?action=webhook.paused").text())
        .contains(receiver.url());
    clock.pass(Duration.ofDays(1));
    assertThat(pass()).isZero();
    assertThat(mesh.bean(Webhooks.class).stopped()).isEqualTo(1);
  }

  @Test
  void aReceiverThatAsksForTimeGetsIt() {
    receiver.replies(_ -> Reply.of(429, Map.of("Retry-After", "600")));
    run();
    clock.pass(Duration.ofSeconds(1));
    pass();
    run();

    clock.pass(Duration.ofSeconds(590));
    assertThat(pass()).as("also what is new waits").isZero();
    clock.pass(Duration.ofSeconds(11));
    receiver.replies(_ -> Reply.OK);
    assertThat(pass()).isEqualTo(2);
  }

  /** Its reader would wait for as long as the receiver likes. */
  @Test
  void ofAnAnswerNoMoreIsReadThanIsTold() {
    receiver.replies(_ -> Reply.endless(500, "broken ".repeat(1_000)));
    run();
    clock.pass(Duration.ofSeconds(1));

    assertThat(pass()).isOne();

    assertThat(only().lastError()).startsWith("Answered 500: broken broken");
  }

  @Test
  void noTwoInstancesTellTheSameAndADeadOnesClaimIsTakenOver() {
    run();
    clock.pass(Duration.ofSeconds(1));
    var other = UUID.randomUUID();
    lives(other, "1 hour");

    var first = claim(other).getFirst();
    assertThat(claim(instance)).isEmpty();
    lives(other, "-1 second");
    var second = claim(instance).getFirst();

    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.attempts()).isEqualTo(2);
    assertThat(rows.delivered(first, 204, clock.instant())).as("its claim is lost").isFalse();
    assertThat(rows.failed(first, 500, "Late.", null)).as("the same").isFalse();
    assertThat(rows.delivered(second, 204, clock.instant())).isTrue();
    assertThat(claim(instance)).isEmpty();
  }

  @Test
  void theLogIsKeptForItsTimeOnly() {
    run();
    clock.pass(Duration.ofDays(29));
    var sweep =
        new OldDeliveries(
            mesh.bean(DeliveryLogRepository.class),
            mesh.bean(WebhookRepository.class),
            LIMITS,
            clock);
    sweep.sweep();
    assertThat(only().status()).isEqualTo(DeliveryStatus.PENDING);

    clock.pass(Duration.ofDays(1).plusMinutes(1));
    sweep.sweep();

    assertThat(mesh.bean(DeliveryLogRepository.class).newest(webhook, null, null, 10)).isEmpty();
  }

  private static void lives(UUID other, String until) {
    DATABASE
        .jdbc()
        .sql(
            """
            insert into instances (id, host, lease_until)
            values (:id, 'other', clock_timestamp() + cast(:until as interval))
            on conflict (id) do update set lease_until = excluded.lease_until
            """)
        .param("id", other)
        .param("until", until)
        .update();
  }

  private static final class Moved extends Clock {

    private Instant now = Instant.now();

    void pass(Duration time) {
      now = now.plus(time);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }
}
