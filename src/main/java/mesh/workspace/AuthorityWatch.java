package mesh.workspace;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import mesh.agent.AgentId;
import mesh.credential.AuthorityChanged;
import mesh.database.Notifications;
import mesh.workspace.AuthorityRepository.Standing;
import mesh.workspace.InFlight.Cause;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Asks each second, in one query for all of this instance's operations, whether they may go on, and
 * ends those that may not. A second thread, which does no I/O and so cannot be held up with the
 * first, ends whatever was not confirmed for {@link #LIMIT}: one period and one deadline of a read.
 *
 * <p>An operation whose authority nobody can tell is ended like one that lost it, and its sandbox
 * destroyed from memory: authorization goes before availability. If it is only that nobody asked,
 * since this process stood still, the sandbox lives on if the first answer then is a yes.
 */
@Component
class AuthorityWatch implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(AuthorityWatch.class);

  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** The promise is 6 s; what is left of it is for the cancel itself. */
  static final Duration LIMIT = PERIOD.plus(Authority.DEADLINE).minusMillis(500);

  /** Longer than it takes until what a change ends was told to end. */
  private static final Duration REMEMBERED = Duration.ofSeconds(10);

  private static final Duration WATCHDOG_PERIOD = Duration.ofMillis(100);

  private final InFlight inFlight;
  private final Authority authority;
  private final Condemned condemned;
  private final Releaser releaser;
  private final Timer looks;
  private final Pulses pulses;

  /** When this instance committed changes of what agents act as, of late. */
  private final Map<AgentId, Long> changes = new ConcurrentHashMap<>();

  private final Semaphore awake = new Semaphore(0);
  private volatile boolean running;
  private volatile Thread ticker = new Thread(() -> {});
  private volatile Thread watchdog = new Thread(() -> {});

  AuthorityWatch(
      InFlight inFlight,
      Authority authority,
      Condemned condemned,
      Releaser releaser,
      Notifications notifications,
      Pulses pulses,
      MeterRegistry meters) {
    this.inFlight = inFlight;
    this.authority = authority;
    this.condemned = condemned;
    this.releaser = releaser;
    this.looks =
        Timer.builder("mesh.workspace.authority")
            .description("From asking about all operations at once to the last one confirmed")
            .publishPercentiles(0.5, 0.99)
            .register(meters);
    Gauge.builder("mesh.workspace.operations", inFlight, it -> it.inSandboxes().size())
        .description("Operations of this instance that are in a sandbox right now")
        .register(meters);
    this.pulses = pulses;
    notifications.listen("mesh_authorization", _ -> look());
  }

  /** A change on this instance need not wait for the next tick; one on another is hinted at. */
  @EventListener
  void changed(AuthorityChanged change) {
    changes.put(change.agent(), System.nanoTime());
    look();
  }

  private void look() {
    awake.release();
    releaser.wake();
  }

  /** Before whatever takes calls or drives runs, and so stopped after it. */
  @Override
  public int getPhase() {
    return 0;
  }

  @Override
  public void start() {
    running = true;
    // Threads of the platform: neither may wait for a carrier that something else has pinned.
    var pulse = pulses.of("authority", LIMIT.plus(Authority.DEADLINE));
    ticker =
        Thread.ofPlatform().daemon().name("authority-tick").start(() -> tickUntilStopped(pulse));
    watchdog =
        Thread.ofPlatform().daemon().name("authority-watchdog").start(this::watchUntilStopped);
  }

  @Override
  public void stop() {
    running = false;
    awake.release();
    try {
      ticker.join(PERIOD);
      watchdog.join(PERIOD);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  /**
   * From the start of one tick to that of the next is a period at most, but for a read that is
   * slower; and there are never two at once.
   */
  private void tickUntilStopped(Pulses.Pulse pulse) {
    long next = System.nanoTime();
    while (running) {
      try {
        if (awake.tryAcquire(next - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          awake.drainPermits();
        }
        next = System.nanoTime() + PERIOD.toNanos();
        tick();
        changes.values().removeIf(at -> System.nanoTime() - at > REMEMBERED.toNanos());
        pulse.beat(true);
      } catch (InterruptedException stopped) {
        return;
      } catch (RuntimeException broken) {
        log.atError().setCause(broken).log("authority tick broke");
        pulse.beat(false);
      }
    }
  }

  private void tick() throws InterruptedException {
    var operations = inFlight.inSandboxes();
    if (operations.isEmpty() || !running) {
      return;
    }
    long asked = System.nanoTime();
    Map<WorkspaceId, Standing> standing;
    try {
      standing =
          authority.standing(
              operations.stream()
                  .map(operation -> operation.hold().lease().workspace())
                  .collect(Collectors.toSet()));
    } catch (Authority.Unknowable unknowable) {
      if (running) {
        for (var operation : operations) {
          operation.cancel(Cause.UNKNOWABLE, operation.confirmedAt());
          condemned.add(operation.hold(), String.valueOf(unknowable.getMessage()));
        }
      }
      return;
    }
    for (var operation : operations) {
      var lease = operation.hold().lease();
      var now = standing.get(lease.workspace());
      if (now != null && now.supports(lease)) {
        operation.confirmed(asked);
      } else {
        operation.cancel(
            now == null || now.outdated() ? Cause.OUTDATED : Cause.RELEASED, takenAt(operation));
        releaser.wake();
      }
    }
    looks.record(System.nanoTime() - asked, TimeUnit.NANOSECONDS);
  }

  /** Of a change on another instance only that it came after the last confirmation is known. */
  private long takenAt(InFlight.Operation operation) {
    return changes.getOrDefault(operation.hold().agent(), operation.confirmedAt());
  }

  private void watchUntilStopped() {
    while (running) {
      try {
        TimeUnit.NANOSECONDS.sleep(WATCHDOG_PERIOD.toNanos());
        for (var operation : inFlight.inSandboxes()) {
          if (operation.cause() == null && operation.unconfirmedFor() > LIMIT.toNanos()) {
            operation.cancel(Cause.UNCONFIRMED, operation.confirmedAt());
            condemned.addUnlessConfirmed(
                operation.hold(), "not confirmed for " + LIMIT.toMillis() + " ms");
          }
        }
      } catch (InterruptedException stopped) {
        return;
      } catch (RuntimeException broken) {
        log.atError().setCause(broken).log("authority watchdog broke");
      }
    }
  }
}
