package mesh.webhook;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import mesh.database.Instances;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Tells receivers what is due. Works on any instance; several share the work without meeting. Each
 * webhook has its own few calls at a time, so that one whose receiver hangs delays no other; there
 * are at most {@link Webhooks#MOST} webhooks, which bounds the whole.
 */
@Component
class Dispatcher implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(Dispatcher.class);

  static final int AT_ONCE = 4;
  private static final Duration STOP = Duration.ofSeconds(3);

  private final DeliveryRepository rows;
  private final Caller caller;
  private final Outcomes outcomes;
  private final Instances instances;
  private final WebhookLimits limits;
  private final Clock clock;
  private final Map<WebhookId, Semaphore> calls = new ConcurrentHashMap<>();
  private final Map<DeliveryId, Thread> calling = new ConcurrentHashMap<>();
  private final Semaphore awake = new Semaphore(0);
  private volatile boolean running;
  private volatile Thread worker = Thread.ofVirtual().unstarted(() -> {});

  Dispatcher(
      DeliveryRepository rows,
      Caller caller,
      Outcomes outcomes,
      Instances instances,
      WebhookLimits limits,
      Clock clock) {
    this.rows = rows;
    this.caller = caller;
    this.outcomes = outcomes;
    this.instances = instances;
    this.limits = limits;
    this.clock = clock;
  }

  /** Looks for work now rather than at the next tick. */
  void wake() {
    awake.release();
  }

  /** Before whatever takes calls or drives runs, and so stopped after it. */
  @Override
  public int getPhase() {
    return 0;
  }

  @Override
  public void start() {
    running = true;
    worker = Thread.ofVirtual().name("webhook-dispatcher").start(this::work);
  }

  /** What is under way may end; what is then not answered is told anew by whoever starts next. */
  @Override
  public void stop() {
    running = false;
    awake.release();
    try {
      worker.join(STOP);
      long until = System.nanoTime() + STOP.toNanos();
      for (var thread : calling.values()) {
        thread.join(Duration.ofNanos(Math.max(1, until - System.nanoTime())));
      }
      caller.cancelAll();
      for (var thread : calling.values()) {
        thread.join(STOP);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void work() {
    while (running) {
      try {
        rows.due(clock.instant()).forEach(this::begin);
      } catch (RuntimeException e) {
        log.atWarn().setCause(e).log("webhooks not dispatched");
      }
      try {
        if (awake.tryAcquire(limits.period().toMillis(), TimeUnit.MILLISECONDS)) {
          awake.drainPermits();
        }
      } catch (InterruptedException stopped) {
        return;
      }
    }
  }

  private void begin(WebhookId webhook) {
    var free = calls.computeIfAbsent(webhook, _ -> new Semaphore(AT_ONCE));
    int permits = free.drainPermits();
    int begun = 0;
    try {
      if (permits > 0 && running) {
        for (var delivery :
            rows.claim(webhook, instances.instanceId(), limits.claim(), permits, clock.instant())) {
          begun++;
          var thread =
              Thread.ofVirtual()
                  .name("webhook-" + delivery.id())
                  .unstarted(() -> tell(delivery, free));
          calling.put(delivery.id(), thread);
          thread.start();
        }
      }
    } finally {
      free.release(permits - begun);
    }
  }

  private void tell(ClaimedDelivery delivery, Semaphore free) {
    try {
      attempt(delivery);
    } catch (RuntimeException broken) {
      // The claim's end makes it due again.
      log.atWarn().setCause(broken).addKeyValue("delivery", delivery.id()).log("delivery broke");
    } finally {
      calling.remove(delivery.id());
      free.release();
      wake();
    }
  }

  private void attempt(ClaimedDelivery delivery) {
    var answer = caller.call(delivery.target(), delivery.id().toString(), delivery.payload());
    outcomes.record(delivery, answer);
    if (answer instanceof Answer.NotTaken(var status, var error, _, _)) {
      log.atInfo()
          .addKeyValue("delivery", delivery.id())
          .addKeyValue("webhook", delivery.target().webhook())
          .addKeyValue("attempts", delivery.attempts())
          .addKeyValue("status", status)
          .addKeyValue("error", error)
          .log("delivery failed");
    }
  }
}
