package mesh.workspace;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
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
  private final Pulses pulses;
  private final MeterRegistry meters;
  private final List<Thread> threads = new ArrayList<>();
  private volatile CountDownLatch stopped = new CountDownLatch(0);

  Sweeps(List<Sweep> sweeps, WorkspaceLimits limits, Pulses pulses, MeterRegistry meters) {
    this.sweeps = List.copyOf(sweeps);
    this.limits = limits;
    this.pulses = pulses;
    this.meters = meters;
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
      var pulse = pulses.of(sweep.name(), sweep.period().multipliedBy(3).plus(limits.sweepLimit()));
      threads.add(
          Thread.ofVirtual()
              .name("sweep-" + sweep.name())
              .start(() -> again(sweep, pulse, stopped)));
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

  private void again(Sweep sweep, Pulses.Pulse pulse, CountDownLatch end) {
    try {
      do {
        long began = System.nanoTime();
        var outcome = once(sweep);
        pulse.beat(outcome.equals("done"));
        timer(sweep, outcome).record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
      } while (!end.await(sweep.period().toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException ended) {
      Thread.currentThread().interrupt();
    }
  }

  private Timer timer(Sweep sweep, String outcome) {
    return Timer.builder("mesh.workspace.sweep")
        .description("One round of a sweep")
        .tag("sweep", sweep.name())
        .tag("outcome", outcome)
        .register(meters);
  }

  /** How it went, in a word. */
  private String once(Sweep sweep) throws InterruptedException {
    try (var deadline = Deadline.in(limits.sweepLimit())) {
      try {
        sweep.sweep();
        return "done";
      } catch (InterruptedException ended) {
        if (!deadline.hasPassed()) {
          throw ended;
        }
        log.atWarn().addKeyValue("sweep", sweep.name()).log("sweep took too long and was ended");
        return "too_long";
      } catch (RuntimeException broken) {
        log.atWarn().setCause(broken).addKeyValue("sweep", sweep.name()).log("sweep failed");
        return "failed";
      }
    }
  }
}
