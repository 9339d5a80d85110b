package mesh.workspace;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import mesh.execution.BackendException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Workspaces whose authority nobody could tell. Their sandboxes are destroyed at the vendor at
 * once, from memory, and their rows say so as soon as the database can be written again; until then
 * this instance uses none of them. Both is tried until it succeeds.
 */
@Component
class Condemned implements SmartLifecycle {

  static final String REASON = "authorization_unknown";

  private static final Logger log = LoggerFactory.getLogger(Condemned.class);
  private static final Duration RETRY_MIN = Duration.ofMillis(250);
  private static final Duration RETRY_MAX = Duration.ofSeconds(30);

  /** What the database has to say that a sandbox may be used all the same. */
  private static final Duration GLANCE = Duration.ofMillis(300);

  private final Authority authority;
  private final ReleaseRepository rows;
  private final Releaser releaser;
  private final VendorCalls vendor;
  private final Map<WorkspaceId, Hold> holds = new ConcurrentHashMap<>();

  /** Those of {@link #holds} that an answer of the database may still spare. */
  private final Set<WorkspaceId> doubtful = new HashSet<>();

  private volatile boolean running;

  Condemned(Authority authority, ReleaseRepository rows, Releaser releaser, VendorCalls vendor) {
    this.authority = authority;
    this.rows = rows;
    this.releaser = releaser;
    this.vendor = vendor;
  }

  boolean has(WorkspaceId workspace) {
    return holds.containsKey(workspace);
  }

  boolean has(mesh.run.RunId run) {
    return holds.values().stream().anyMatch(hold -> hold.lease().run().equals(run));
  }

  /** Idempotent; returns at once. An error is not outweighed by an answer that comes after it. */
  synchronized void add(Hold hold, String why) {
    doubtful.remove(hold.lease().workspace());
    if (admit(hold)) {
      Thread.ofVirtual().name("condemn").start(() -> execute(hold, why));
    }
  }

  /**
   * As {@link #add}, of what nobody was asked about for too long: it lives on if the database says
   * at once that it may, or that another instance looks after it by now. Neither revocations nor
   * the end of its run can have gone unnoticed then, since both leave their mark on the row.
   */
  synchronized void addUnlessConfirmed(Hold hold, String why) {
    if (admit(hold)) {
      doubtful.add(hold.lease().workspace());
      Thread.ofVirtual()
          .name("condemn")
          .start(() -> {
            boolean good = isGood(hold.lease());
            if (!spare(hold.lease().workspace(), good)) {
              execute(hold, why);
            }
          });
    }
  }

  private synchronized boolean spare(WorkspaceId workspace, boolean good) {
    boolean spared = doubtful.remove(workspace) && good;
    if (spared) {
      holds.remove(workspace);
    }
    return spared;
  }

  private boolean admit(Hold hold) {
    return running && holds.putIfAbsent(hold.lease().workspace(), hold) == null;
  }

  private void execute(Hold hold, String why) {
    var workspace = hold.lease().workspace();
    log.atError()
        .addKeyValue("workspace", workspace)
        .addKeyValue("run", hold.lease().run())
        .addKeyValue("why", why)
        .log("authorization cannot be told: sandbox destroyed");
    Thread.ofVirtual().name("destroy-" + workspace).start(() -> until(() -> destroy(hold)));
    until(() -> record(workspace));
    holds.remove(workspace);
    releaser.wake();
  }

  private boolean isGood(Lease lease) {
    try (var _ = Deadline.in(GLANCE)) {
      var now = authority.standing(List.of(lease.workspace())).get(lease.workspace());
      return now != null && now.live() && !now.outdated() && now.fence() >= lease.fence();
    } catch (Authority.Unknowable | InterruptedException unknown) {
      return false;
    }
  }

  private boolean destroy(Hold hold) throws InterruptedException {
    try {
      vendor.destroy(hold.runtime(), hold.backend(), hold.ref());
      return true;
    } catch (BackendException trouble) {
      return false;
    }
  }

  private boolean record(WorkspaceId workspace) {
    try {
      // Also if it is on its way already: then there is nothing to add.
      var _ = rows.retire(workspace, REASON);
      return true;
    } catch (DataAccessException | TransactionException unavailable) {
      return false;
    }
  }

  private void until(Attempt attempt) {
    var pause = RETRY_MIN;
    try {
      while (running && !attempt.succeeded()) {
        TimeUnit.NANOSECONDS.sleep(pause.toNanos());
        pause = pause.multipliedBy(2).compareTo(RETRY_MAX) < 0 ? pause.multipliedBy(2) : RETRY_MAX;
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** Before whatever takes calls or drives runs, and so stopped after it. */
  @Override
  public int getPhase() {
    return 0;
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private interface Attempt {
    boolean succeeded() throws InterruptedException;
  }
}
