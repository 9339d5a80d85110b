package mesh.agentapi;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import mesh.tool.LiveOutput;

/**
 * What a call has printed and its client was not told yet. Whoever prints never waits: if the
 * client takes it too slowly, the oldest is left out. Written on one thread, read on another.
 */
final class McpOutput implements LiveOutput {

  /** Characters of one message. */
  static final int MOST = 16 * 1024;

  private final StringBuilder pending = new StringBuilder();
  private long omitted;
  private boolean over;

  @Override
  public synchronized void accept(String channel, String text) {
    pending.append(text);
    int excess = pending.length() - MOST;
    if (excess > 0) {
      int cut = Character.isLowSurrogate(pending.charAt(excess)) ? excess + 1 : excess;
      pending.delete(0, cut);
      omitted += cut;
    }
    notifyAll();
  }

  /** The call is over: nothing more is printed. */
  synchronized void end() {
    over = true;
    notifyAll();
  }

  /** Waits for output or the end, and tells whether either came. */
  synchronized boolean await(Duration patience) throws InterruptedException {
    return await(patience, true);
  }

  /** Waits for the end, and tells whether it came. */
  synchronized boolean awaitEnd(Duration patience) throws InterruptedException {
    return await(patience, false);
  }

  private boolean await(Duration patience, boolean orOutput) throws InterruptedException {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!over && !(orOutput && !pending.isEmpty())) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      TimeUnit.NANOSECONDS.timedWait(this, left);
    }
    return true;
  }

  synchronized boolean isOver() {
    return over;
  }

  /** What was printed since the last time; empty if nothing. */
  synchronized String take() {
    var text = omitted == 0 ? "" : "… " + omitted + " characters omitted …\n";
    text += pending;
    pending.setLength(0);
    omitted = 0;
    return text;
  }
}
