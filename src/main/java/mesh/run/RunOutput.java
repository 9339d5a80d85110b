package mesh.run;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.stereotype.Component;

/**
 * What calls that still run have printed so far, for whoever watches their run: the last 16,000
 * characters of each, both channels as they came. In the memory of the instance that makes the call
 * and, while they are watched there, of others; nothing is stored. The step that is committed in
 * the end has the output for good.
 */
@Component
public class RunOutput {

  /** Watchers are told so much later, with whatever came by then. */
  private static final Executor SOON =
      CompletableFuture.delayedExecutor(150, TimeUnit.MILLISECONDS, Runnable::run);

  private final ConcurrentHashMap<RunId, Map<Integer, Recording>> recordings =
      new ConcurrentHashMap<>();
  private final RunFeed feed;
  private final OutputExchange exchange;

  RunOutput(RunFeed feed, OutputExchange exchange) {
    this.feed = feed;
    this.exchange = exchange;
    exchange.answers(this::here);
  }

  /** Begins to keep what a call prints, until it is closed. */
  public Recording begin(RunId run, int step) {
    var recording = new Recording(run, step);
    recordings.computeIfAbsent(run, _ -> new ConcurrentHashMap<>()).put(step, recording);
    return recording;
  }

  /**
   * Empty if the call has printed nothing, is over, or is made by another instance that was not yet
   * heard of: then its watchers are told when it was.
   */
  public Optional<Tail> of(RunId run, int step) {
    var recording = recordings.getOrDefault(run, Map.of()).get(step);
    return Optional.ofNullable(
            recording == null ? exchange.of(run, step) : recording.printed.tail())
        .filter(tail -> tail.end() > 0);
  }

  /** By the numbers of the steps, of the calls that this instance makes. */
  private Map<Integer, Tail> here(RunId run) {
    var tails = new TreeMap<Integer, Tail>();
    recordings
        .getOrDefault(run, Map.of())
        .forEach((step, it) -> tails.put(step, it.printed.tail()));
    return tails;
  }

  /**
   * The end of what was printed so far.
   *
   * @param from how many characters come before it
   */
  public record Tail(long from, String text) {

    public static final Tail NOTHING = new Tail(0, "");

    /** How many characters were printed. */
    public long end() {
      return from + text.length();
    }

    /** What comes after the first {@code seen} characters, as far as it is still there. */
    public Tail after(long seen) {
      int skipped = Math.clamp(seen - from, 0, text.length());
      return new Tail(from + skipped, text.substring(skipped));
    }
  }

  /** One call's output. Safe for use by several threads. */
  public final class Recording implements AutoCloseable {

    private final RunId run;
    private final int step;
    private final OutputTail printed = new OutputTail();
    private final AtomicBoolean hinted = new AtomicBoolean();

    private Recording(RunId run, int step) {
      this.run = run;
      this.step = step;
    }

    /**
     * Takes what was just printed.
     *
     * @param text redacted, whole characters
     */
    public void accept(String text) {
      printed.append(text);
      if (hinted.compareAndSet(false, true)) {
        SOON.execute(() -> {
          hinted.set(false);
          feed.wake(run);
        });
      }
    }

    @Override
    public void close() {
      recordings.computeIfPresent(
          run,
          (_, steps) -> {
            steps.remove(step);
            return steps.isEmpty() ? null : steps;
          });
    }
  }
}
