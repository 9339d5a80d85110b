package mesh.run;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.stereotype.Component;

/**
 * What calls that still run have printed so far, for whoever watches their run: the last 16,000
 * characters of each, both channels as they came. In the memory of the instance that makes the call
 * and nowhere else; the step that is committed in the end has the output for good.
 */
@Component
public class RunOutput {

  /** Characters kept of each call, at least; at most twice as many are held. */
  static final int KEPT = 16_000;

  /** Watchers look this often at most. */
  private static final long BETWEEN_HINTS = TimeUnit.MILLISECONDS.toNanos(200);

  private record Call(RunId run, int step) {}

  private final ConcurrentHashMap<Call, Recording> recordings = new ConcurrentHashMap<>();
  private final Consumer<RunId> hint;

  @Autowired
  RunOutput(RunFeed feed) {
    this(feed::wake);
  }

  RunOutput(Consumer<RunId> hint) {
    this.hint = hint;
  }

  /** Begins to keep what a call prints, until it is closed. */
  public Recording begin(RunId run, int step) {
    var recording = new Recording(new Call(run, step));
    recordings.put(recording.call, recording);
    return recording;
  }

  /** Empty if the call has printed nothing, is over, or is made by another instance. */
  public Optional<Tail> of(RunId run, int step) {
    return Optional.ofNullable(recordings.get(new Call(run, step)))
        .map(Recording::tail)
        .filter(tail -> tail.end() > 0);
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

    private final Call call;
    private final StringBuilder text = new StringBuilder();
    private long dropped;
    private long hinted = System.nanoTime() - BETWEEN_HINTS;

    private Recording(Call call) {
      this.call = call;
    }

    /**
     * Takes what was just printed.
     *
     * @param printed redacted, whole characters
     */
    public void accept(String printed) {
      if (keep(printed)) {
        hint.accept(call.run());
      }
    }

    /** True if it is time for a hint; what comes before the next is seen with it. */
    private synchronized boolean keep(String printed) {
      int before = Math.max(0, printed.length() - KEPT);
      if (before > 0) {
        drop(text.length());
        dropped += before;
      }
      text.append(printed, before, printed.length());
      if (text.length() > 2 * KEPT) {
        drop(text.length() - KEPT);
      }
      long now = System.nanoTime();
      boolean due = now - hinted >= BETWEEN_HINTS;
      if (due) {
        hinted = now;
      }
      return due;
    }

    private void drop(int characters) {
      text.delete(0, characters);
      dropped += characters;
    }

    /** Never begins within a surrogate pair. */
    private synchronized Tail tail() {
      int start = Math.max(0, text.length() - KEPT);
      if (start < text.length() && Character.isLowSurrogate(text.charAt(start))) {
        start++;
      }
      return new Tail(dropped + start, text.substring(start));
    }

    @Override
    public void close() {
      recordings.remove(call, this);
    }
  }
}
