package mesh.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * PostgreSQL's LISTEN and NOTIFY: hints between instances, which may be lost while the database is
 * away and so are never all that tells of a change. One connection for all channels. Whatever else
 * starts finds it listening: a hint to an instance that answers requests is not lost for that it
 * was the first.
 */
@Component
public class Notifications implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(Notifications.class);
  private static final Pattern CHANNEL = Pattern.compile("[a-z_]+");
  private static final PGNotification[] NOTHING = {};
  private static final int POLL_MS = 500;
  private static final long RECONNECT_NANOS = 1_000_000_000;
  private static final long MOST_PATIENCE_SECONDS = 10;

  private final DataSource dataSource;
  private final JdbcClient jdbc;
  private final Map<String, List<Consumer<String>>> listeners = new ConcurrentHashMap<>();
  private final CountDownLatch heard = new CountDownLatch(1);
  private volatile boolean running;

  Notifications(DataSource dataSource, JdbcClient jdbc) {
    this.dataSource = dataSource;
    this.jdbc = jdbc;
  }

  /**
   * Calls {@code listener}, quick and on one thread, with what is sent on a channel. To be said
   * before the start, in a constructor: a connection that waits for hints takes no new channel.
   *
   * @throws IllegalStateException after the start
   */
  public void listen(String channel, Consumer<String> listener) {
    if (!CHANNEL.matcher(channel).matches()) {
      throw new IllegalArgumentException("not a channel: " + channel);
    }
    if (running) {
      throw new IllegalStateException("too late to listen on " + channel);
    }
    listeners.computeIfAbsent(channel, _ -> new CopyOnWriteArrayList<>()).add(listener);
  }

  /** To all instances, this one among them. */
  public void send(String channel, Collection<String> texts) {
    jdbc.sql("select pg_notify(:channel, text) from unnest(:texts) text")
        .param("channel", channel)
        .param("texts", texts.toArray(String[]::new))
        .query((_, _) -> "")
        .list();
  }

  /** Before whatever has something to tell. */
  @Override
  public int getPhase() {
    return -1;
  }

  /** Returns when the channels are heard, or after ten seconds without a database. */
  @Override
  public void start() {
    running = true;
    Thread.ofVirtual().name("notifications").start(this::listenUntilStopped);
    try {
      if (!heard.await(MOST_PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        log.warn("the database lets nobody listen; trying on");
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void stop() {
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void listenUntilStopped() {
    while (running) {
      try (var connection = dataSource.getConnection()) {
        listenOn(connection);
      } catch (SQLException e) {
        log.atDebug().setCause(e).log("notifications interrupted");
        LockSupport.parkNanos(this, RECONNECT_NANOS);
      }
    }
  }

  private void listenOn(Connection connection) throws SQLException {
    var postgres = connection.unwrap(PGConnection.class);
    for (var channel : listeners.keySet()) {
      execute(connection, "listen " + channel);
    }
    heard.countDown();
    while (running) {
      var notifications = postgres.getNotifications(POLL_MS);
      for (var notification : notifications == null ? NOTHING : notifications) {
        tell(notification);
      }
    }
    leave(connection, postgres);
  }

  /** Whoever has the connection next is not to hear what was meant for us. */
  private static void leave(Connection connection, PGConnection postgres) throws SQLException {
    execute(connection, "unlisten *");
    postgres.getNotifications();
  }

  private void tell(PGNotification notification) {
    for (var listener : listeners.getOrDefault(notification.getName(), List.of())) {
      try {
        listener.accept(notification.getParameter());
      } catch (RuntimeException trouble) {
        // One who stumbles does not make the others deaf.
        log.atWarn()
            .addKeyValue("channel", notification.getName())
            .setCause(trouble)
            .log("a hint was lost");
      }
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
