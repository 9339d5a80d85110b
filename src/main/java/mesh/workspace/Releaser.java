package mesh.workspace;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import mesh.database.Installation;
import mesh.database.Instances;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.InventoryEntry;
import mesh.execution.catalog.BackendName;
import mesh.run.RunRedactions;
import org.jspecify.annotations.Nullable;
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

  private static final Duration PERIOD = Duration.ofSeconds(5);

  /** Longer than an attempt may take: whoever loses its claim has ended before. */
  private static final Duration CLAIM = Duration.ofSeconds(60);

  private static final Duration ATTEMPT = Duration.ofSeconds(30);
  private static final Duration RETRY_MAX = Duration.ofMinutes(5);
  private static final int AT_ONCE = 16;
  private static final int WORRYING = 10;
  private static final int ERROR_LENGTH = 240;

  private final ReleaseRepository rows;
  private final TeardownRepository queue;
  private final Backends backends;
  private final RunRedactions redactions;
  private final InstallationId installation;
  private final Instances instances;
  private final RandomGenerator random;
  private final Map<String, Semaphore> tries = new ConcurrentHashMap<>();
  private final Semaphore awake = new Semaphore(0);
  private volatile boolean running;
  private volatile Thread worker = Thread.ofVirtual().unstarted(() -> {});

  Releaser(
      ReleaseRepository rows,
      TeardownRepository queue,
      Backends backends,
      RunRedactions redactions,
      Installation installation,
      Instances instances,
      java.security.SecureRandom random) {
    this.rows = rows;
    this.queue = queue;
    this.backends = backends;
    this.redactions = redactions;
    this.installation = new InstallationId(installation.id());
    this.instances = instances;
    this.random = random;
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
    worker = Thread.ofVirtual().name("releaser").start(this::work);
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

  private void work() {
    while (running) {
      try {
        sweep();
        if (awake.tryAcquire(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
          awake.drainPermits();
        }
      } catch (InterruptedException stopped) {
        return;
      } catch (RuntimeException e) {
        log.atWarn().setCause(e).log("release sweep failed");
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
    try (var deadline = Deadline.in(ATTEMPT)) {
      try {
        attempt(row);
        more = true;
      } catch (InterruptedException ended) {
        failed(row, deadline.hasPassed() ? "no answer within 30 s" : "interrupted");
      } catch (BackendException trouble) {
        failed(row, String.valueOf(trouble.getMessage()));
      }
    } catch (RuntimeException broken) {
      log.atWarn().setCause(broken).addKeyValue("workspace", row.workspace()).log("release broke");
      failedForSure(row, broken.getClass().getSimpleName());
    } finally {
      free.release();
      if (more) {
        wake();
      }
    }
  }

  private void attempt(Teardown row) throws InterruptedException {
    var name = row.backend();
    var key = row.key();
    if (name == null || key == null) {
      released(row, "never made");
      return;
    }
    var backend = backends.named(new BackendName(name));
    if (backend.isEmpty()) {
      strand(row, name, key);
      return;
    }
    var ref = row.ref();
    if (ref != null) {
      released(row, end(backend.get(), ref, row));
      return;
    }
    var found = inInventory(backend.get(), key);
    if (found != null) {
      released(row, end(backend.get(), found, row));
    } else if (row.settled()) {
      released(row, "never seen");
    } else {
      // A create whose answer was lost may still take effect: look again until it would have shown.
      queue.postpone(row, "waiting for a create whose answer was lost", PERIOD);
    }
  }

  private static String end(Backend backend, ExternalRef ref, Teardown row)
      throws InterruptedException {
    if (row.mustDestroy()) {
      Destruction.of(backend, ref);
      return "destroyed";
    }
    return backend.release(ref).name();
  }

  private @Nullable ExternalRef inInventory(Backend backend, String key)
      throws InterruptedException {
    return backend.list(installation).stream()
        .filter(entry -> entry.key().value().equals(key))
        .map(InventoryEntry::ref)
        .findFirst()
        .orElse(null);
  }

  private void strand(Teardown row, String backend, String key) {
    queue.strand(
        row,
        "The runtime '%s' is not in this build or has no credential: sandbox %s must be released by hand at the vendor."
            .formatted(backend, key));
    log.atWarn()
        .addKeyValue("workspace", row.workspace())
        .addKeyValue("runtime", backend)
        .log("workspace stranded");
  }

  private void released(Teardown row, String how) {
    if (queue.done(row)) {
      log.atInfo()
          .addKeyValue("workspace", row.workspace())
          .addKeyValue("how", how)
          .log("workspace released");
    }
  }

  private void failed(Teardown row, String words) {
    var clean = redactions.of(row.run()).apply(words);
    var error = clean.length() > ERROR_LENGTH ? clean.substring(0, ERROR_LENGTH) : clean;
    queue.postpone(row, error, pause(row.attempts()));
    var level =
        row.attempts() >= WORRYING ? org.slf4j.event.Level.ERROR : org.slf4j.event.Level.WARN;
    log.atLevel(level)
        .addKeyValue("workspace", row.workspace())
        .addKeyValue("attempts", row.attempts())
        .addKeyValue("error", error)
        .log("release failed");
  }

  /** When the database fails too, the claim's end makes the row due again. */
  private void failedForSure(Teardown row, String words) {
    try {
      failed(row, words);
    } catch (RuntimeException unrecorded) {
      log.atWarn()
          .setCause(unrecorded)
          .addKeyValue("workspace", row.workspace())
          .log("failure not recorded");
    }
  }

  /** 5 s doubled with each attempt, up to 5 min, and half as much again or half of it. */
  private Duration pause(int attempts) {
    var plain = PERIOD.multipliedBy(1L << Math.min(attempts - 1, 6));
    var most = plain.compareTo(RETRY_MAX) < 0 ? plain : RETRY_MAX;
    return Duration.ofMillis((long) (most.toMillis() * random.nextDouble(0.5, 1.5)));
  }
}
