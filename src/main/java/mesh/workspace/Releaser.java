package mesh.workspace;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import mesh.database.Installation;
import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.InventoryEntry;
import mesh.workspace.ReleaseRepository.Releasing;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Releases what is out of its run's reach, by the backend that the row names, until the vendor
 * confirms. Works on any instance; several share the work without meeting. A row whose release
 * throws or hangs delays nobody else: each is tried on a thread of its own.
 */
@Component
class Releaser implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(Releaser.class);

  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final Duration CLAIM = Duration.ofSeconds(60);
  private static final Duration RETRY_MAX = Duration.ofMinutes(5);
  private static final int BATCH = 16;
  private static final int ERROR_LENGTH = 240;

  private final ReleaseRepository rows;
  private final Backends backends;
  private final InstallationId installation;
  private final Semaphore awake = new Semaphore(0);
  private volatile boolean running;
  private volatile Thread worker = Thread.ofVirtual().unstarted(() -> {});

  Releaser(ReleaseRepository rows, Backends backends, Installation installation) {
    this.rows = rows;
    this.backends = backends;
    this.installation = new InstallationId(installation.id());
  }

  /** Looks for work now rather than at the next tick. */
  void wake() {
    awake.release();
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

  /** One pass: everything that is due is begun; returns how many rows that were. */
  int sweep() {
    rows.retireOfEndedRuns();
    int begun = 0;
    while (true) {
      var due = rows.claimReleases(CLAIM, BATCH);
      due.forEach(row -> Thread.ofVirtual().name("release-" + row.id()).start(() -> release(row)));
      begun += due.size();
      if (due.size() < BATCH) {
        return begun;
      }
    }
  }

  private void release(Releasing row) {
    try {
      attempt(row);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (BackendException trouble) {
      failed(row, String.valueOf(trouble.getMessage()));
    } catch (RuntimeException broken) {
      log.atWarn().setCause(broken).addKeyValue("workspace", row.id()).log("release broke");
      failed(row, broken.getClass().getSimpleName());
    }
  }

  private void attempt(Releasing row) throws InterruptedException {
    var name = row.backend();
    var key = row.key();
    if (name == null || key == null) {
      released(row, "never made");
      return;
    }
    var backend = backends.named(name);
    if (backend.isEmpty()) {
      rows.stranded(
          row.id(),
          "The runtime '%s' is not in this build or has no credential: sandbox %s must be released by hand at the vendor."
              .formatted(name, key.value()));
      log.atWarn()
          .addKeyValue("workspace", row.id())
          .addKeyValue("runtime", name)
          .log("workspace stranded");
      return;
    }
    var ref = row.ref();
    if (ref != null) {
      released(row, backend.get().release(ref).name());
      return;
    }
    var found = inInventory(backend.get(), key.value());
    if (found != null) {
      released(row, backend.get().release(found).name());
    } else if (row.settled()) {
      released(row, "never seen");
    } else {
      // A create whose answer was lost may still take effect: look again until it would have shown.
      rows.releaseFailed(row.id(), "waiting for a create whose answer was lost", PERIOD);
    }
  }

  private @org.jspecify.annotations.Nullable ExternalRef inInventory(Backend backend, String key)
      throws InterruptedException {
    return backend.list(installation).stream()
        .filter(entry -> entry.key().value().equals(key))
        .map(InventoryEntry::ref)
        .findFirst()
        .orElse(null);
  }

  private void released(Releasing row, String how) {
    rows.released(row.id());
    log.atInfo()
        .addKeyValue("workspace", row.id())
        .addKeyValue("how", how)
        .log("workspace released");
  }

  private void failed(Releasing row, String words) {
    var error = words.length() > ERROR_LENGTH ? words.substring(0, ERROR_LENGTH) : words;
    var delay = PERIOD.multipliedBy(1L << Math.min(row.attempts() - 1, 6));
    rows.releaseFailed(row.id(), error, delay.compareTo(RETRY_MAX) < 0 ? delay : RETRY_MAX);
    log.atWarn()
        .addKeyValue("workspace", row.id())
        .addKeyValue("attempts", row.attempts())
        .addKeyValue("error", error)
        .log("release failed");
  }
}
