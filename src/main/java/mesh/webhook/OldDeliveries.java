package mesh.webhook;

import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Removes what the log need not keep, a little at a time, on any instance. */
@Component
class OldDeliveries implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(OldDeliveries.class);

  private static final Duration PERIOD = Duration.ofHours(1);
  private static final Duration STOP = Duration.ofSeconds(5);

  /** Long after the last run can be about to tell a deleted webhook something. */
  private static final Duration GRACE = Duration.ofHours(1);

  static final int BATCH = 1_000;
  private static final int BATCHES = 100;

  private final DeliveryLogRepository deliveries;
  private final WebhookRepository webhooks;
  private final WebhookLimits limits;
  private final Clock clock;
  private volatile CountDownLatch stopped = new CountDownLatch(0);
  private volatile Thread worker = Thread.ofVirtual().unstarted(() -> {});

  OldDeliveries(
      DeliveryLogRepository deliveries,
      WebhookRepository webhooks,
      WebhookLimits limits,
      Clock clock) {
    this.deliveries = deliveries;
    this.webhooks = webhooks;
    this.limits = limits;
    this.clock = clock;
  }

  @Override
  public void start() {
    stopped = new CountDownLatch(1);
    worker = Thread.ofVirtual().name("webhook-log").start(this::again);
  }

  @Override
  public void stop() {
    stopped.countDown();
    try {
      worker.join(STOP);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return stopped.getCount() > 0;
  }

  /** At most {@link #BATCH} rows in a statement, and a bounded number of statements. */
  void sweep() {
    var now = clock.instant();
    int batches = 0;
    while (batches < BATCHES && deliveries.forget(now.minus(limits.retention()), BATCH) == BATCH) {
      batches++;
    }
    webhooks.purge(now.minus(GRACE));
  }

  private void again() {
    try {
      do {
        try {
          sweep();
        } catch (RuntimeException broken) {
          log.atWarn().setCause(broken).log("old deliveries not removed");
        }
      } while (!stopped.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }
}
