package mesh.run;

import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import mesh.database.Instances;
import mesh.database.Notifications;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Tells other instances which runs changed. Sends in batches on a thread of its own, so that no
 * step waits for it.
 */
@Component
class RunSignals implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(RunSignals.class);
  private static final String CHANNEL = "mesh_run_changed";
  private static final long BATCH_NANOS = 20_000_000;

  private final Notifications notifications;
  private final Instances instances;
  private final CopyOnWriteArrayList<RunFeed.Listener> listeners = new CopyOnWriteArrayList<>();
  private final Set<UUID> pending = ConcurrentHashMap.newKeySet();
  private volatile boolean running;
  private volatile Thread sender = Thread.ofVirtual().unstarted(() -> {});

  RunSignals(Notifications notifications, Instances instances) {
    this.notifications = notifications;
    this.instances = instances;
    notifications.listen(
        CHANNEL,
        text -> {
          var run = UUID.fromString(text);
          listeners.forEach(listener -> listener.signalled(run));
        });
  }

  void onSignal(RunFeed.Listener listener) {
    listeners.add(listener);
  }

  /** To other instances, if there may be any. */
  void send(UUID run) {
    if (running && !instances.isAlone() && pending.add(run)) {
      LockSupport.unpark(sender);
    }
  }

  @Override
  public void start() {
    running = true;
    sender = Thread.ofVirtual().name("run-signals-sender").start(this::sendUntilStopped);
  }

  @Override
  public void stop() {
    running = false;
    LockSupport.unpark(sender);
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void sendUntilStopped() {
    while (running) {
      if (pending.isEmpty()) {
        LockSupport.park(this);
        continue;
      }
      LockSupport.parkNanos(this, BATCH_NANOS);
      var batch = Set.copyOf(pending);
      try {
        notifications.send(CHANNEL, batch.stream().map(UUID::toString).toList());
      } catch (RuntimeException e) {
        // Watchers look again by themselves; a lost hint costs them two seconds.
        log.atDebug().setCause(e).log("run signals not sent");
      }
      pending.removeAll(batch);
    }
  }
}
