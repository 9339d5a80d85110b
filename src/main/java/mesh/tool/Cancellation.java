package mesh.tool;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lets somebody on another thread end a call. The calling thread is interrupted while the tool
 * runs, and neither before nor after: what became of the call is always written down. Thread-safe;
 * one per call.
 */
public final class Cancellation {

  private @Nullable Thread working;
  private @Nullable String why;

  /**
   * Ends the call, or keeps it from beginning. Does nothing when it is over or was ended before.
   *
   * @param why who did it, to stand before "; what it had done until then stays done."
   */
  public synchronized void cancel(String why) {
    if (this.why == null) {
      this.why = why;
      if (working != null) {
        working.interrupt();
      }
    }
  }

  /** Empty while nobody cancelled. */
  public synchronized Optional<String> why() {
    return Optional.ofNullable(why);
  }

  /** What fails because of the interrupt, fails as cancelled: a broken connection, say. */
  <T> T cancellable(Work<T> work) throws InterruptedException {
    begin();
    try {
      return work.run();
    } catch (ToolRefusal | LiveOutput.LiveOutputClosed told) {
      throw told;
    } catch (RuntimeException broken) {
      if (why().isPresent()) {
        var cancelled = new InterruptedException("cancelled");
        cancelled.initCause(broken);
        throw cancelled;
      }
      throw broken;
    } finally {
      end();
    }
  }

  private synchronized void begin() throws InterruptedException {
    if (why != null) {
      throw new InterruptedException("cancelled before it began");
    }
    working = Thread.currentThread();
  }

  private synchronized void end() {
    working = null;
    if (why != null) {
      // It may have come when the tool had just returned.
      Thread.interrupted();
    }
  }

  interface Work<T> {
    T run() throws InterruptedException;
  }
}
