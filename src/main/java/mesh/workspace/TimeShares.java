package mesh.workspace;

import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;

/**
 * Shares one time limit among pieces of work, in the order of their names: each gets its part of
 * what is left, so that one that hangs takes no other's time, and what one does not need is the
 * others'.
 */
final class TimeShares {

  private final Duration limit;

  TimeShares(Duration limit) {
    this.limit = limit;
  }

  /** A piece of work that ends when its thread is interrupted. */
  interface Work {
    void run() throws InterruptedException;
  }

  /** What to do about a piece of work that was ended because its time was over. */
  interface Late {
    void ended(String name);
  }

  void run(SortedMap<String, Work> all, Late late) throws InterruptedException {
    long end = System.nanoTime() + limit.toNanos();
    int left = all.size();
    for (Map.Entry<String, Work> one : all.entrySet()) {
      long share = Math.max(1, (end - System.nanoTime()) / left);
      left--;
      try (var deadline = Deadline.in(Duration.ofNanos(share))) {
        try {
          one.getValue().run();
        } catch (InterruptedException ended) {
          if (!deadline.hasPassed()) {
            throw ended;
          }
          late.ended(one.getKey());
        }
      }
    }
  }
}
