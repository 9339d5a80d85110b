package mesh.database;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.core.NestedExceptionUtils;

/**
 * A question of health that may hang: whoever asks waits for {@link #PATIENCE} at most, however
 * many ask there is one question under way, and an answer is good for {@link #FRESH}, because
 * anybody may ask. A change of the answer is logged.
 */
class BoundedCheck implements HealthIndicator {

  static final Duration PATIENCE = Duration.ofSeconds(2);
  static final Duration FRESH = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(BoundedCheck.class);

  private final String name;
  private final Question question;
  private @Nullable Asked asked;
  private Status told = Status.UP;

  BoundedCheck(String name, Question question) {
    this.name = name;
    this.question = question;
  }

  /** What is asked; throws, with a sentence, if the answer is bad. */
  interface Question {

    /** What an operator may want to know. */
    Map<String, Object> ask() throws Exception;
  }

  /** The answer to {@link Question}, in a sentence, is no. */
  static final class Unfit extends Exception {
    Unfit(String sentence) {
      super(sentence, null, false, false);
    }
  }

  @Override
  public Health health() {
    var health = answer(current());
    tell(health);
    return health;
  }

  private synchronized Asked current() {
    var last = asked;
    if (last == null || last.isStale()) {
      last = new Asked(new FutureTask<>(question::ask), System.nanoTime());
      asked = last;
      Thread.ofVirtual().name("health-" + name).start(last.task);
    }
    return last;
  }

  private static Health answer(Asked asked) {
    try {
      return Health.up().withDetails(asked.get()).build();
    } catch (TimeoutException late) {
      return down("no answer within " + PATIENCE.toSeconds() + " s");
    } catch (ExecutionException failed) {
      return down(words(failed));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return down("interrupted");
    }
  }

  private static Health down(String why) {
    return Health.down().withDetail("why", why).build();
  }

  private static String words(ExecutionException failed) {
    var cause = NestedExceptionUtils.getMostSpecificCause(failed);
    return cause instanceof Unfit
        ? String.valueOf(cause.getMessage())
        : cause.getClass().getSimpleName() + ": " + cause.getMessage();
  }

  private synchronized void tell(Health health) {
    if (health.getStatus().equals(told)) {
      return;
    }
    told = health.getStatus();
    if (told.equals(Status.UP)) {
      log.atInfo().addKeyValue("what", name).log("healthy again");
    } else {
      log.atWarn()
          .addKeyValue("what", name)
          .addKeyValue("why", health.getDetails().get("why"))
          .log("not healthy");
    }
  }

  private record Asked(FutureTask<Map<String, Object>> task, long at) {

    boolean isStale() {
      return task.isDone() && System.nanoTime() - at > FRESH.toNanos();
    }

    Map<String, Object> get() throws TimeoutException, ExecutionException, InterruptedException {
      long left = at + PATIENCE.toNanos() - System.nanoTime();
      return task.get(Math.max(0, left), TimeUnit.NANOSECONDS);
    }
  }
}
