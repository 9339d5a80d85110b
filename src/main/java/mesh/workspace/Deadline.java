package mesh.workspace;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Interrupts the thread that made it if it is not closed in time. */
final class Deadline implements AutoCloseable {

  private final Thread worker = Thread.currentThread();
  private final Thread timer;
  private boolean over;
  private boolean passed;

  private Deadline(Duration limit) {
    timer =
        Thread.ofVirtual()
            .name("deadline")
            .start(() -> {
              try {
                TimeUnit.NANOSECONDS.sleep(limit.toNanos());
                pass();
              } catch (InterruptedException inTime) {
                // It was closed.
              }
            });
  }

  static Deadline in(Duration limit) {
    return new Deadline(limit);
  }

  private synchronized void pass() {
    if (!over) {
      passed = true;
      worker.interrupt();
    }
  }

  /** Whether an interrupt of the worker was this one's. */
  synchronized boolean hasPassed() {
    return passed;
  }

  @Override
  public void close() {
    synchronized (this) {
      over = true;
      if (passed) {
        Thread.interrupted();
      }
    }
    timer.interrupt();
  }
}
