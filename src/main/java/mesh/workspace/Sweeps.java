package mesh.workspace;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Runs each sweep at the start and from then on, on a thread of its own, so that one that hangs
 * holds up no other, and none for longer than {@link WorkspaceLimits#sweepLimit}.
 */
@Component
class Sweeps implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(Sweeps.class);
  private static final long STOP_SECONDS = 5;

  private final List<Sweep> sweeps;
  private final WorkspaceLimits limits;
  private final List<Thread> threads = new ArrayList<>();
  private volatile CountDownLatch stopped = new CountDownLatch(0);

  Sweeps(List<Sweep> sweeps, WorkspaceLimits limits) {
    this.sweeps = List.copyOf(sweeps);
    this.limits = limits;
  }

  /** Before whatever takes calls or drives runs, and so stopped after it. */
  @Override
  public int getPhase() {
    return 0;
  }

  @Override
  public synchronized void start() {
    stopped = new CountDownLatch(1);
    for (var sweep : sweeps) {
      threads.add(
          Thread.ofVirtual().name("sweep-" + sweep.name()).start(() -> again(sweep, stopped)));
    }
  }

  /** Lets what runs come to its end first: an interrupt in a query would cost its connection. */
  @Override
  public synchronized void stop() {
    stopped.countDown();
    try {
      long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
      for (var thread : threads) {
        thread.join(java.time.Duration.ofNanos(Math.max(1, until - System.nanoTime())));
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    threads.clear();
  }

  @Override
  public boolean isRunning() {
    return stopped.getCount() > 0;
  }

  private void again(Sweep sweep, CountDownLatch end) {
    try {
      do {
        once(sweep);
      } while (!end.await(sweep.period().toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private void once(Sweep sweep) throws InterruptedException {
    try (var deadline = Deadline.in(limits.sweepLimit())) {
      try {
        sweep.sweep();
      } catch (InterruptedException ended) {
        if (!deadline.hasPassed()) {
          throw ended;
        }
        log.atWarn().addKeyValue("sweep", sweep.name()).log("sweep took too long and was ended");
      } catch (RuntimeException broken) {
        log.atWarn().setCause(broken).addKeyValue("sweep", sweep.name()).log("sweep failed");
      }
    }
  }
}
