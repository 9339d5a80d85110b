package mesh.workspace;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import mesh.credential.DeliveryLocks;
import mesh.execution.catalog.BackendName;
import mesh.tool.ToolRefusal;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * Who may write a grant now. A writer holds a connection for as long as its vendor takes, and there
 * are few of them: the others wait here, where a wait costs nothing and is no sign that the
 * database is in trouble. A runtime whose vendor hangs leaves the last turns to the others.
 */
@Component
final class DeliveryTurns {

  /** For each of the two waits. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final int FOR_OTHERS = 2;

  private final int ofOneRuntime;
  private final Duration patience;
  private final Semaphore all;
  private final Map<BackendName, Semaphore> each = new ConcurrentHashMap<>();

  @Autowired
  DeliveryTurns(DeliveryLocks locks) {
    this(locks.writers(), PATIENCE);
  }

  DeliveryTurns(int writers, Duration patience) {
    this.ofOneRuntime = Math.max(1, writers - FOR_OTHERS);
    this.patience = patience;
    this.all = new Semaphore(writers, true);
  }

  /**
   * Waits for a turn, which whoever gets it must close.
   *
   * @throws ToolRefusal.TryLater if it does not come; nothing was delivered then
   */
  Turn take(BackendName runtime) throws InterruptedException {
    var own = each.computeIfAbsent(runtime, _ -> new Semaphore(ofOneRuntime, true));
    acquire(own);
    try {
      acquire(all);
    } catch (InterruptedException | RuntimeException e) {
      own.release();
      throw e;
    }
    return () -> {
      all.release();
      own.release();
    };
  }

  private void acquire(Semaphore turns) throws InterruptedException {
    if (!turns.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new ToolRefusal.TryLater(
          "deliveries_busy",
          "So many commands are being given their credentials that this one's turn did not come: nothing was done, call again.",
          Duration.ofSeconds(5));
    }
  }

  interface Turn extends AutoCloseable {
    @Override
    void close();
  }
}
