package mesh.simulator.kubernetes;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Waits as a slow vendor does. */
final class Pause {

  private Pause() {}

  static void of(Duration duration) throws InterruptedException {
    var _ = new CountDownLatch(1).await(duration.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** Runs {@code action} after a while, on a thread of its own. */
  static void then(Duration duration, Action action) {
    Thread.startVirtualThread(() -> {
      try {
        of(duration);
        action.run();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Exception e) {
        System.err.println("A delayed effect failed: " + e);
      }
    });
  }

  @FunctionalInterface
  interface Action {
    void run() throws Exception;
  }
}
