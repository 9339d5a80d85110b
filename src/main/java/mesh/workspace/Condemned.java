package mesh.workspace;

import java.time.Duration;
import java.util.Map;
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

  private final ReleaseRepository rows;
  private final Releaser releaser;
  private final Map<WorkspaceId, Hold> holds = new ConcurrentHashMap<>();
  private volatile boolean running;

  Condemned(ReleaseRepository rows, Releaser releaser) {
    this.rows = rows;
    this.releaser = releaser;
  }

  boolean has(WorkspaceId workspace) {
    return holds.containsKey(workspace);
  }

  boolean has(mesh.run.RunId run) {
    return holds.values().stream().anyMatch(hold -> hold.lease().run().equals(run));
  }

  /** Idempotent; returns at once. */
  void add(Hold hold, String why) {
    var workspace = hold.lease().workspace();
    if (!running || holds.putIfAbsent(workspace, hold) != null) {
      return;
    }
    log.atError()
        .addKeyValue("workspace", workspace)
        .addKeyValue("run", hold.lease().run())
        .addKeyValue("why", why)
        .log("authorization cannot be told: sandbox destroyed");
    Thread.ofVirtual().name("destroy-" + workspace).start(() -> until(() -> destroy(hold)));
    Thread.ofVirtual()
        .name("record-" + workspace)
        .start(() -> {
          until(() -> record(workspace));
          holds.remove(workspace);
          releaser.wake();
        });
  }

  private static boolean destroy(Hold hold) throws InterruptedException {
    try {
      Destruction.of(hold.backend(), hold.ref());
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
