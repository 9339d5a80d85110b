package mesh.execution.local;

import java.util.concurrent.atomic.AtomicLong;

/** Names that no two calls on this machine share between two of its boots. */
final class Marks {

  private static final AtomicLong COUNTER = new AtomicLong();

  /** The clock runs from boot on, so two processes that get one pid after another differ in it. */
  private static final String OURS =
      Long.toString(ProcessHandle.current().pid(), 36)
          + "-"
          + Long.toString(System.nanoTime() & Long.MAX_VALUE, 36)
          + "-";

  private Marks() {}

  static String next() {
    return OURS + Long.toString(COUNTER.incrementAndGet(), 36);
  }
}
