package mesh.run;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import mesh.database.Instances;
import org.postgresql.PGConnection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Tells other instances which runs changed, with PostgreSQL's LISTEN and NOTIFY. Sends in batches
 * on a thread of its own, so that no step waits for it; listens only once somebody watches.
 */
@Component
class RunSignals implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(RunSignals.class);
  private static final String CHANNEL = "mesh_run_changed";
  private static final int POLL_MS = 500;
  private static final long BATCH_NANOS = 20_000_000;
  private static final long RECONNECT_NANOS = 1_000_000_000;

  private final DataSource dataSource;
  private final JdbcClient jdbc;
  private final Instances instances;
  private final CopyOnWriteArrayList<RunFeed.Listener> listeners = new CopyOnWriteArrayList<>();
  private final Set<UUID> pending = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean listening = new AtomicBoolean();
  private volatile boolean running;
  private volatile Thread sender = Thread.ofVirtual().unstarted(() -> {});

  RunSignals(DataSource dataSource, JdbcClient jdbc, Instances instances) {
    this.dataSource = dataSource;
    this.jdbc = jdbc;
    this.instances = instances;
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

  void listen() {
    if (running && listening.compareAndSet(false, true)) {
      Thread.ofVirtual().name("run-signals-listener").start(this::listenUntilStopped);
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
      var batch = pending.toArray(UUID[]::new);
      try {
        jdbc.sql("select pg_notify(:channel, run::text) from unnest(:runs) run")
            .param("channel", CHANNEL)
            .param("runs", batch)
            .query((_, _) -> "")
            .list();
      } catch (RuntimeException e) {
        // Watchers look again by themselves; a lost hint costs them two seconds.
        log.atDebug().setCause(e).log("run signals not sent");
      }
      for (var run : batch) {
        pending.remove(run);
      }
    }
  }

  private void listenUntilStopped() {
    while (running) {
      try (var connection = dataSource.getConnection()) {
        listenOn(connection);
      } catch (SQLException e) {
        log.atDebug().setCause(e).log("run signals interrupted");
        LockSupport.parkNanos(this, RECONNECT_NANOS);
      }
    }
  }

  private void listenOn(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute("listen " + CHANNEL);
    }
    var postgres = connection.unwrap(PGConnection.class);
    while (running) {
      var notifications = postgres.getNotifications(POLL_MS);
      for (var notification : notifications == null ? NOTHING : notifications) {
        var run = UUID.fromString(notification.getParameter());
        listeners.forEach(listener -> listener.signalled(run));
      }
    }
    try (var statement = connection.createStatement()) {
      statement.execute("unlisten *");
    }
  }

  private static final org.postgresql.PGNotification[] NOTHING = {};
}
