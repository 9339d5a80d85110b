package mesh.run;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Wakes whoever watches a run when something about it was committed, by this instance at once and
 * by another within a moment (see {@link RunSignals}). A hint, never the truth: watchers read the
 * rows, and look again after a while without a hint.
 */
@Component
public class RunFeed {

  private final ConcurrentHashMap<RunId, Set<Watch>> watches = new ConcurrentHashMap<>();
  private final RunSignals signals;

  RunFeed(RunSignals signals) {
    this.signals = signals;
    signals.onSignal(run -> wake(new RunId(run)));
  }

  /** Starts watching; close it when done. */
  public Watch watch(RunId run) {
    var watch = new Watch(run);
    watches.computeIfAbsent(run, _ -> new CopyOnWriteArraySet<>()).add(watch);
    return watch;
  }

  /** To be called in or after the transaction that changed the run; takes effect at its commit. */
  void changed(RunId run) {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      announce(run);
      return;
    }
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            announce(run);
          }
        });
  }

  private void announce(RunId run) {
    wake(run);
    signals.send(run.value());
  }

  /** Of something that only this instance knows, and that is in no row. */
  void wake(RunId run) {
    watches.getOrDefault(run, Set.of()).forEach(Watch::wake);
  }

  /** One watcher of one run. Used by one thread at a time, but for {@link #close}. */
  public final class Watch implements AutoCloseable {

    private final RunId run;
    private final UnsettledSignal signal = new UnsettledSignal();

    private Watch(RunId run) {
      this.run = run;
    }

    /** Returns at once if there was a hint since the last call, else at the next or the timeout. */
    public void await(Duration timeout) throws InterruptedException {
      signal.await(timeout);
    }

    private void wake() {
      signal.set();
    }

    @Override
    public void close() {
      watches.computeIfPresent(
          run,
          (_, all) -> {
            all.remove(this);
            return all.isEmpty() ? null : all;
          });
      signal.set();
    }
  }

  /** The id of a run in a signal between instances. */
  interface Listener {
    void signalled(UUID run);
  }
}
