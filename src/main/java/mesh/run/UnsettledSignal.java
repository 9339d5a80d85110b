package mesh.run;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A flag that a waiter clears: any number of settings between two waits count as one. */
final class UnsettledSignal {

  private final Semaphore raised = new Semaphore(0);

  void set() {
    raised.release();
  }

  void await(Duration timeout) throws InterruptedException {
    if (raised.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
      raised.drainPermits();
    }
  }
}
