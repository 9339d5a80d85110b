package mesh.simulator.modal;

import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Runs things later, each on a thread of its own, until it is closed. */
final class Timers implements AutoCloseable {

  interface Action {
    void run() throws Exception;
  }

  private final ScheduledThreadPoolExecutor executor =
      new ScheduledThreadPoolExecutor(
          1, Thread.ofPlatform().name("modal-timers").daemon().factory());

  Timers() {
    executor.setRemoveOnCancelPolicy(true);
    executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  void after(Duration delay, Action action) {
    try {
      var _ = executor.schedule(() -> start(action), delay.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      // The simulator is being closed, which ends everything.
    }
  }

  private static void start(Action action) {
    Thread.startVirtualThread(() -> {
      try {
        action.run();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (Exception e) {
        System.err.println("What was to be done later failed: " + e);
      }
    });
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }
}
