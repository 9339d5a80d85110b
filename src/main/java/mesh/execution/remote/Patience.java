package mesh.execution.remote;

import java.time.Duration;
import java.util.random.RandomGenerator;
import mesh.execution.BackendException;

/**
 * Tries again what time may help: a few times, at growing intervals that differ between callers.
 */
public final class Patience {

  /** Most attempts at one thing. */
  public static final int ATTEMPTS = 4;

  /** The longest wait that is done here; a vendor that asks for more is left to the caller. */
  private static final Duration LONGEST = Duration.ofSeconds(5);

  /** When another attempt is not begun: some fail only after a long time. */
  private static final Duration ENOUGH = Duration.ofMinutes(1);

  private static final Duration FIRST = Duration.ofMillis(250);

  private final Pause pause;
  private final RandomGenerator random;

  public Patience(Pause pause, RandomGenerator random) {
    this.pause = pause;
    this.random = random;
  }

  /** How a thread waits. */
  @FunctionalInterface
  public interface Pause {
    void of(Duration time) throws InterruptedException;
  }

  /** Something that may be tried more than once without harm. */
  @FunctionalInterface
  public interface Attempt<T> {
    T run() throws InterruptedException;
  }

  /** The result of the first attempt that is not {@link BackendException.Unavailable}. */
  public <T> T retrying(Attempt<T> attempt) throws InterruptedException {
    long start = System.nanoTime();
    for (int number = 1; ; number++) {
      try {
        return attempt.run();
      } catch (BackendException.Unavailable trouble) {
        if (number == ATTEMPTS
            || trouble.retryAfter().compareTo(LONGEST) > 0
            || System.nanoTime() - start > ENOUGH.toNanos()) {
          throw trouble;
        }
        var asked = trouble.retryAfter();
        var own = FIRST.multipliedBy(1L << (2 * (number - 1)));
        pauseAbout(asked.compareTo(own) > 0 ? asked : own);
      }
    }
  }

  /** Before a second look at something surprising. */
  public void beforeSecondLook() throws InterruptedException {
    pauseAbout(FIRST.multipliedBy(2));
  }

  /** Never shorter than asked, up to half longer. */
  private void pauseAbout(Duration time) throws InterruptedException {
    pause.of(time.plusMillis(random.nextLong(time.toMillis() / 2 + 1)));
  }
}
