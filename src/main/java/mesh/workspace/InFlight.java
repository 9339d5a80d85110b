package mesh.workspace;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import mesh.run.RunId;
import org.springframework.stereotype.Component;

/** The operations that run right now in this instance, so that the end of a run ends them. */
@Component
class InFlight {

  private final Map<RunId, Set<Operation>> operations = new ConcurrentHashMap<>();

  /** The calling thread begins an operation; it must close what it gets. */
  Operation begin(RunId run) {
    var operation = new Operation(run, Thread.currentThread());
    operations.compute(
        run,
        (_, all) -> {
          var set = all == null ? ConcurrentHashMap.<Operation>newKeySet() : all;
          set.add(operation);
          return set;
        });
    return operation;
  }

  /** Interrupts every operation of the run. */
  void cancel(RunId run) {
    operations.getOrDefault(run, Set.of()).forEach(Operation::cancel);
  }

  /** How many operations run. */
  int count() {
    return operations.values().stream().mapToInt(Set::size).sum();
  }

  /** One operation on one thread. An interrupt for it never reaches what the thread does later. */
  final class Operation implements AutoCloseable {

    private final RunId run;
    private final Thread thread;
    private boolean cancelled;
    private boolean over;

    private Operation(RunId run, Thread thread) {
      this.run = run;
      this.thread = thread;
    }

    synchronized void cancel() {
      if (!over && !cancelled) {
        cancelled = true;
        thread.interrupt();
      }
    }

    synchronized boolean wasCancelled() {
      return cancelled;
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
        if (cancelled) {
          Thread.interrupted();
        }
      }
    }
  }
}
