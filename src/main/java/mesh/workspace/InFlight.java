package mesh.workspace;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * The operations that run right now in this instance, so that the end of a run ends them, and so
 * that the authority of those in a sandbox can be asked for again and again.
 */
@Component
class InFlight {

  private final Map<RunId, Set<Operation>> operations = new ConcurrentHashMap<>();
  private final MeterRegistry meters;

  InFlight(MeterRegistry meters) {
    this.meters = meters;
    for (var cause : Cause.values()) {
      // There from the start: a counter that appears with its first event has no rate.
      ended(cause);
    }
  }

  private Timer ended(Cause cause) {
    return Timer.builder("mesh.workspace.revocation")
        .description("From what took an operation's authority to the end of the operation")
        .tag("cause", cause.name().toLowerCase(Locale.ROOT))
        .register(meters);
  }

  /** The calling thread begins an operation outside of a sandbox; it must close what it gets. */
  Operation begin(RunId run) {
    return add(new Operation(run, null, 0));
  }

  /**
   * As {@link #begin(RunId)}, in a sandbox, under a lease that was confirmed.
   *
   * @param confirmedAt {@link System#nanoTime} from before the read
   */
  Operation begin(Hold hold, long confirmedAt) {
    return add(new Operation(hold.lease().run(), hold, confirmedAt));
  }

  private Operation add(Operation operation) {
    operations.compute(
        operation.run,
        (_, all) -> {
          var set = all == null ? ConcurrentHashMap.<Operation>newKeySet() : all;
          set.add(operation);
          return set;
        });
    return operation;
  }

  /** Interrupts every operation of the run. */
  void cancel(RunId run) {
    operations
        .getOrDefault(run, Set.of())
        .forEach(operation -> operation.cancel(Cause.RELEASED, System.nanoTime()));
  }

  /** Those in sandboxes. */
  List<Operation> inSandboxes() {
    return all().filter(operation -> operation.hold != null).toList();
  }

  /** How many operations run. */
  int count() {
    return (int) all().count();
  }

  private Stream<Operation> all() {
    return operations.values().stream().flatMap(Set::stream);
  }

  /** Why an operation was ended from outside. */
  enum Cause {
    /** Its run ended, or its workspace was released. */
    RELEASED,
    /** What its run was issued was changed. */
    OUTDATED,
    /** Nobody could tell whether it may go on. */
    UNKNOWABLE,
    /** Nobody asked for too long whether it may go on: this process stood still, say. */
    UNCONFIRMED
  }

  /** One operation on one thread. An interrupt for it never reaches what the thread does later. */
  final class Operation implements AutoCloseable {

    private final RunId run;
    private final @Nullable Hold hold;
    private final Thread thread = Thread.currentThread();
    private volatile long confirmedAt;
    private @Nullable Cause cause;
    private long since;
    private boolean over;

    private Operation(RunId run, @Nullable Hold hold, long confirmedAt) {
      this.run = run;
      this.hold = hold;
      this.confirmedAt = confirmedAt;
    }

    /** Only of {@link InFlight#inSandboxes}. */
    Hold hold() {
      if (hold == null) {
        throw new IllegalStateException("this operation is in no sandbox");
      }
      return hold;
    }

    /**
     * Ends it, the first time.
     *
     * @param takenAt {@link System#nanoTime} of the commit that took its authority, or of an
     *     earlier moment if that is not known
     */
    void cancel(Cause why, long takenAt) {
      synchronized (this) {
        if (over || cause != null) {
          return;
        }
        cause = why;
        since = takenAt;
        thread.interrupt();
      }
    }

    /** Null if it was not cancelled. */
    synchronized @Nullable Cause cause() {
      return cause;
    }

    /** {@link System#nanoTime} of when its lease was known to be good. */
    long confirmedAt() {
      return confirmedAt;
    }

    /** Its lease was good when this moment had come. */
    void confirmed(long asked) {
      confirmedAt = asked;
    }

    /** How long ago its lease was known to be good, in nanoseconds. */
    long unconfirmedFor() {
      return System.nanoTime() - confirmedAt;
    }

    @Override
    public void close() {
      operations.computeIfPresent(
          run,
          (_, all) -> {
            all.remove(this);
            return all.isEmpty() ? null : all;
          });
      synchronized (this) {
        over = true;
        if (cause != null) {
          Thread.interrupted();
          ended(cause).record(System.nanoTime() - since, TimeUnit.NANOSECONDS);
        }
      }
    }
  }
}
