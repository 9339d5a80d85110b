package mesh.inference;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a service until it replies, nothing more helps, or patience ends. The only place where
 * anything is asked again.
 */
final class Attempts {

  private static final Logger log = LoggerFactory.getLogger(Attempts.class);

  /** Waits. */
  interface Pause {
    void take(Duration time) throws InterruptedException;
  }

  private final LongSupplier nanos;
  private final Pause pause;
  private final RandomGenerator random;

  /**
   * @param nanos as {@link System#nanoTime}
   */
  Attempts(LongSupplier nanos, Pause pause, RandomGenerator random) {
    this.nanos = nanos;
    this.pause = pause;
    this.random = random;
  }

  static Attempts usual(RandomGenerator random) {
    return new Attempts(System::nanoTime, time -> Thread.sleep(time), random);
  }

  /**
   * @throws InterruptedException at once when interrupted; the request is given up then
   */
  Reply ask(Client client, Question question, Patience patience) throws InterruptedException {
    long begun = nanos.getAsLong();
    for (int attempt = 1; ; attempt++) {
      try {
        return once(client, question);
      } catch (Trouble trouble) {
        var rest = pauseAfter(trouble, attempt, patience);
        boolean inTime = nanos.getAsLong() - begun + rest.toNanos() < patience.total().toNanos();
        if (!Verdict.passes(trouble) || attempt >= patience.attempts() || !inTime) {
          throw Verdict.exception(trouble, client.connection(), question.model(), attempt);
        }
        log.atInfo()
            .addKeyValue("connection", client.connection().name())
            .addKeyValue("model", question.model())
            .addKeyValue("attempt", attempt)
            .addKeyValue("trouble", trouble.kind())
            .addKeyValue("status", trouble.status())
            .addKeyValue("pause_ms", rest.toMillis())
            .log("model did not reply, is asked again");
        pause.take(rest);
      }
    }
  }

  /** Between half of a step and all of it, so that many who failed at once do not come at once. */
  private Duration pauseAfter(Trouble trouble, int attempt, Patience patience) {
    var step = patience.firstPause().toNanos() * (double) (1L << Math.min(attempt - 1, 20));
    var own =
        Math.min(step, (double) patience.longestPause().toNanos()) * random.nextDouble(0.5, 1);
    var asked = trouble.after();
    var wanted = asked == null ? 0 : asked.toNanos();
    return Duration.ofNanos(
        Math.min(Math.max(wanted, Math.round(own)), patience.longestPause().toNanos()));
  }

  /**
   * On a virtual thread of its own: only there does an interrupt end what waits for a socket,
   * whatever thread the caller is on.
   */
  private static Reply once(Client client, Question question) throws Trouble, InterruptedException {
    var task = new FutureTask<>(() -> client.ask(question));
    var thread = Thread.ofVirtual().name("model-request").start(task);
    try {
      return task.get();
    } catch (InterruptedException e) {
      thread.interrupt();
      throw e;
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case Trouble trouble -> throw trouble;
        case RuntimeException unforeseen -> throw unforeseen;
        case Error error -> throw error;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }
}
