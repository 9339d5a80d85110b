package mesh.webhook;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.random.RandomGenerator;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Entry;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/**
 * Records what came of a call. Takes the webhook's row before the delivery's, as everything that
 * needs both.
 */
@Component
class Outcomes {

  /** How long everything waits for a receiver that asked to be left alone, at most. */
  private static final Duration LONGEST_REST = Duration.ofHours(1);

  private final DeliveryRepository rows;
  private final Activity activity;
  private final WebhookLimits limits;
  private final RandomGenerator random;
  private final Clock clock;

  Outcomes(
      DeliveryRepository rows,
      Activity activity,
      WebhookLimits limits,
      RandomGenerator random,
      Clock clock) {
    this.rows = rows;
    this.activity = activity;
    this.limits = limits;
    this.random = random;
    this.clock = clock;
  }

  @Transactional
  public void record(ClaimedDelivery delivery, Answer answer) {
    switch (answer) {
      case Answer.Taken(int status) -> {
        rows.works(delivery.target().webhook());
        rows.delivered(delivery, status, clock.instant());
      }
      case Answer.Gone(var error) -> gone(delivery, error);
      case Answer.NotTaken notTaken -> notTaken(delivery, notTaken);
    }
  }

  private void gone(ClaimedDelivery delivery, String error) {
    var target = delivery.target();
    var stopped =
        rows.stop(
            target.webhook(), WebhookState.GONE, "The receiver answered 410: it is gone for good.");
    if (rows.failed(delivery, 410, error, null)) {
      audit(delivery, "webhook.given_up", 410, error);
    }
    if (stopped) {
      int left = rows.giveUp(target.webhook(), "Not sent: the receiver is gone.");
      activity.record(
          Entry.of(ActorId.SYSTEM, "webhook.gone")
              .connection(target.name())
              .after(new Stopped(WebhookState.GONE.word(), error, left)));
    }
  }

  private void notTaken(ClaimedDelivery delivery, Answer.NotTaken answer) {
    var target = delivery.target();
    var now = clock.instant();
    var since = rows.fails(target.webhook(), now);
    var wait = answer.retryAfter();
    if (answer.busy() && wait != null) {
      rows.rest(target.webhook(), now.plus(shorter(wait, LONGEST_REST)));
    }
    var next = next(delivery, wait, now);
    if (!rows.failed(delivery, answer.status(), answer.error(), next)) {
      return;
    }
    if (next == null) {
      audit(delivery, "webhook.given_up", answer.status(), answer.error());
    }
    since
        .filter(at -> at.plus(limits.pauseAfter()).isBefore(now))
        .ifPresent(at -> pause(target, at, answer.error()));
  }

  private void pause(Target target, Instant since, String error) {
    var reason = "Nothing was delivered since %s. Last: %s".formatted(since, error);
    if (rows.stop(target.webhook(), WebhookState.PAUSED, reason)) {
      activity.record(
          Entry.of(ActorId.SYSTEM, "webhook.paused")
              .connection(target.name())
              .after(new Stopped(WebhookState.PAUSED.word(), reason, 0)));
    }
  }

  /** Null if it was the last attempt. */
  private @Nullable Instant next(ClaimedDelivery delivery, @Nullable Duration asked, Instant now) {
    int failures = delivery.attempts();
    if (failures > limits.retries().size()) {
      return null;
    }
    var plain = limits.retries().get(failures - 1);
    // Spread, so that what failed together does not come back together.
    var pause = Duration.ofMillis((long) (plain.toMillis() * random.nextDouble(0.8, 1.2)));
    return now.plus(asked == null || asked.compareTo(pause) < 0 ? pause : asked);
  }

  private void audit(
      ClaimedDelivery delivery, String action, @Nullable Integer status, String error) {
    activity.record(
        Entry.of(ActorId.SYSTEM, action)
            .connection(delivery.target().name())
            .run(delivery.run().value())
            .after(
                new GivenUp(
                    delivery.id().toString(),
                    delivery.event(),
                    delivery.attempts(),
                    status,
                    error)));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private record GivenUp(
      String delivery, String event, int attempts, @Nullable Integer status, String error) {}

  private record Stopped(String state, String reason, int givenUp) {}
}
