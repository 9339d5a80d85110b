package mesh.execution.remote;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Kills one command, at its deadline or sooner, and at most once.
 *
 * <p>On threads of its own: a sink that is stuck does not put the deadline off, and an interrupt
 * does not stop the killing half way.
 */
final class Ending {

  /** Longer than a kill takes that meets no trouble. */
  private static final Duration LONGEST = Duration.ofSeconds(15);

  /** Kills; answers why it could not, null if it could. */
  @FunctionalInterface
  interface Kill {
    @Nullable Exception run();
  }

  private final Kill kill;
  private final AtomicBoolean settled = new AtomicBoolean();
  private final AtomicBoolean started = new AtomicBoolean();
  private final CompletableFuture<@Nullable Exception> done = new CompletableFuture<>();
  private final Thread watch;

  /**
   * @param deadline by {@link System#nanoTime}
   */
  Ending(long deadline, Kill kill) {
    this.kill = kill;
    this.watch = Thread.ofVirtual().name("exec-deadline").start(() -> watch(deadline));
  }

  private void watch(long deadline) {
    for (long left = deadline - System.nanoTime();
        left > 0 && !settled.get();
        left = deadline - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
    if (settled.compareAndSet(false, true)) {
      start();
    }
  }

  /** Takes the deadline away. False if it has passed: the command is being killed. */
  boolean callOff() {
    boolean inTime = settled.compareAndSet(false, true);
    LockSupport.unpark(watch);
    return inTime;
  }

  private void start() {
    if (started.compareAndSet(false, true)) {
      Thread.ofVirtual().name("exec-kill").start(() -> done.complete(kill.run()));
    }
  }

  /**
   * Kills unless that has begun, and returns when it is done or takes too long; keeps an interrupt
   * for later.
   *
   * @return why it could not be done; null if it was
   */
  @Nullable Exception now() {
    callOff();
    start();
    boolean interrupted = false;
    long end = System.nanoTime() + LONGEST.toNanos();
    try {
      while (true) {
        try {
          return done.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException again) {
          interrupted = true;
        } catch (TimeoutException | ExecutionException slow) {
          return slow;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
