package mesh.execution.local;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import mesh.execution.Outcome;

/**
 * Whether one command runs out of memory: because the {@link MemoryGuard} ends it, or the kernel.
 * Of one that is over within {@link MemoryGuard#FIRST_LOOK} neither is asked, so that it costs
 * nothing.
 */
final class Memory {

  private static final int SIGKILL = 9;

  private final long limit;
  private final MemoryGuard guard;
  private final LongSupplier kernelKills;
  private boolean ranOut;
  private volatile boolean endedOtherwise;
  private volatile long killsBefore = Long.MAX_VALUE;

  /**
   * @param limit bytes that all of the sandbox may use
   */
  Memory(long limit, MemoryGuard guard, LongSupplier kernelKills) {
    this.limit = limit;
    this.guard = guard;
    this.kernelKills = kernelKills;
  }

  /**
   * Waits for the leader.
   *
   * @param deadline as {@link System#nanoTime} has it
   * @param end ends the command with its tree
   * @return whether it exited in time
   */
  boolean waitFor(Process leader, Census.Member asMember, long deadline, Runnable end)
      throws InterruptedException {
    var first = Math.min(deadline - System.nanoTime(), MemoryGuard.FIRST_LOOK.toNanos());
    if (leader.waitFor(first, TimeUnit.NANOSECONDS)) {
      return true;
    }
    killsBefore = kernelKills.getAsLong();
    var watched = new MemoryGuard.Watched(asMember, limit, () -> runOut(end));
    guard.watch(watched);
    try {
      return leader.waitFor(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } finally {
      guard.leave(watched);
    }
  }

  private synchronized void runOut(Runnable end) {
    ranOut = true;
    end.run();
  }

  /** Once the leader is gone; waits until the rest of the tree is, too. */
  synchronized boolean ranOut() {
    return ranOut;
  }

  /** Mesh ends the command for another reason. */
  void endsOtherwise() {
    endedOtherwise = true;
  }

  /** Whether the kernel killed it, or one of its children that it then went the way of. */
  boolean isWhy(Outcome.Signalled ending) {
    return ending.signal() == SIGKILL && !endedOtherwise && kernelKills.getAsLong() > killsBefore;
  }
}
