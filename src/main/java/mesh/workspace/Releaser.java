package mesh.workspace;

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
 * Releases what is out of its run's reach, by the backend that the row names, until the vendor
 * confirms; it never gives up. Works on any instance; several share the work without meeting. Each
 * backend has its own few tries at a time, so that one whose vendor hangs delays no other, and each
 * row a thread and a deadline of its own.
 */
@Component
class Releaser implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(Releaser.class);

  static final Duration PERIOD = Duration.ofSeconds(5);

  /** Longer than an attempt may take: whoever loses its claim has ended before. */
  private static final Duration CLAIM = Duration.ofSeconds(60);

  /** One look at the queue: a few statements, each with a deadline. */
  private static final Duration SLOWEST = Duration.ofMinutes(1);

  private static final int AT_ONCE = 16;

  private final ReleaseRepository rows;
  private final TeardownRepository queue;
  private final Teardowns teardowns;
  private final Instances instances;
  private final Pulses pulses;
  private final Map<String, Semaphore> tries = new ConcurrentHashMap<>();
  private final Semaphore awake = new Semaphore(0);
  private volatile boolean running;
  private volatile Thread worker = Thread.ofVirtual().unstarted(() -> {});

  Releaser(
      ReleaseRepository rows,
      TeardownRepository queue,
      Teardowns teardowns,
      Instances instances,
      Pulses pulses) {
    this.rows = rows;
    this.queue = queue;
    this.teardowns = teardowns;
    this.instances = instances;
    this.pulses = pulses;
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
    var pulse = pulses.of("release", PERIOD.multipliedBy(3).plus(SLOWEST));
    worker = Thread.ofVirtual().name("releaser").start(() -> work(pulse));
  }

  /** Lets a sweep end: an interrupt in the middle of a query would cost it its connection. */
  @Override
  public void stop() {
    running = false;
    awake.release();
    try {
      worker.join(PERIOD);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void work(Pulses.Pulse pulse) {
    while (running) {
      try {
        sweep();
        pulse.beat(true);
        if (awake.tryAcquire(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
          awake.drainPermits();
        }
      } catch (InterruptedException stopped) {
        return;
      } catch (RuntimeException e) {
        log.atWarn().setCause(e).log("release sweep failed");
        pulse.beat(false);
      }
    }
  }

  /** One pass: of each backend as many as may be tried at once are begun. */
  private void sweep() {
    rows.retireOfEndedRuns();
    queue.due().keySet().forEach(this::begin);
  }

  private void begin(String backend) {
    var free = tries.computeIfAbsent(backend, _ -> new Semaphore(AT_ONCE));
    int permits = free.drainPermits();
    int begun = 0;
    try {
      if (permits > 0) {
        for (var row : queue.claim(backend, instances.instanceId(), CLAIM, permits)) {
          begun++;
          Thread.ofVirtual().name("release-" + row.workspace()).start(() -> tryOne(row, free));
        }
      }
    } finally {
      free.release(permits - begun);
    }
  }

  private void tryOne(Teardown row, Semaphore free) {
    boolean more = false;
    try {
      more = teardowns.attempt(row);
    } finally {
      free.release();
      if (more) {
        wake();
      }
    }
  }
}
