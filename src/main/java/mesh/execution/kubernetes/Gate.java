package mesh.execution.kubernetes;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import mesh.execution.remote.Patience;

/**
 * Lets so many commands start at a time: a node that is asked to start dozens at once has been slow
 * for a minute and has answered none.
 *
 * <p>Only their start passes here. A command may run for an hour, and neither other commands nor
 * the one that ends it may have to wait for it.
 */
final class Gate {

  private final int mostInAll;
  private final int mostInPod;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition left = lock.newCondition();
  private final Map<String, Integer> inPods = new HashMap<>();
  private int inAll;

  Gate(int mostInAll, int mostInPod) {
    this.mostInAll = mostInAll;
    this.mostInPod = mostInPod;
  }

  <T> T through(String pod, Patience.Attempt<T> start) throws InterruptedException {
    enter(pod);
    try {
      return start.run();
    } finally {
      leave(pod);
    }
  }

  private void enter(String pod) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (inAll >= mostInAll || inPods.getOrDefault(pod, 0) >= mostInPod) {
        left.await();
      }
      inAll++;
      inPods.merge(pod, 1, Integer::sum);
    } finally {
      lock.unlock();
    }
  }

  private void leave(String pod) {
    lock.lock();
    try {
      inAll--;
      inPods.computeIfPresent(pod, (_, count) -> count == 1 ? null : count - 1);
      left.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
