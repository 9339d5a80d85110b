package mesh;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Waits for what must come to hold, with a deadline, and says what was there instead. */
public final class Await {

  private static final long LOOK_NANOS = 20_000_000;

  private Await() {}

  public static <T> T until(Duration patience, Callable<T> look, Predicate<T> holds) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      T seen;
      try {
        seen = look.call();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      if (holds.test(seen)) {
        return seen;
      }
      if (System.nanoTime() > deadline) {
        throw new AssertionError("after " + patience + " there was still: " + seen);
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}
