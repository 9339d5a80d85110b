package mesh.database;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * This server among all that use the database: a row with a lease that is prolonged for as long as
 * the server lives. What an instance owns may be taken over once its lease has ended. A graceful
 * stop ends it at once; a database outage does not end the heartbeat.
 */
@Component
public class Instances implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(Instances.class);
  static final Duration LEASE = Duration.ofSeconds(20);
  private static final Duration PERIOD = Duration.ofSeconds(5);
  private static final Duration REMEMBERED = Duration.ofDays(7);

  private final InstanceRepository rows;
  private final UUID id;
  private final String host = host();
  private final Duration period;
  private volatile @Nullable Heartbeat heartbeat;
  private volatile boolean alone;

  @Autowired
  Instances(InstanceRepository rows, Supplier<UUID> ids) {
    this(rows, ids, PERIOD);
  }

  Instances(InstanceRepository rows, Supplier<UUID> ids, Duration period) {
    this.rows = rows;
    this.id = ids.get();
    this.period = period;
  }

  /** A new one each time the server starts. */
  public UUID instanceId() {
    return id;
  }

  /**
   * Whether no other server used the database at the last heartbeat. For what may be saved when
   * nobody else is there; never for what must be right.
   */
  public boolean isAlone() {
    return alone;
  }

  /** Those whose lease has not ended, this one among them. */
  public List<UUID> living() {
    return rows.living();
  }

  /** Before everything that may own something, and so stopped after it. */
  @Override
  public int getPhase() {
    return Integer.MIN_VALUE + 1000;
  }

  @Override
  public synchronized void start() {
    if (heartbeat == null) {
      rows.renew(id, host, LEASE);
      rows.forget(REMEMBERED);
      heartbeat = new Heartbeat();
    }
  }

  @Override
  public synchronized void stop() {
    Heartbeat beating = heartbeat;
    if (beating != null) {
      beating.end();
      heartbeat = null;
      try {
        rows.end(id);
      } catch (DataAccessException | TransactionException e) {
        log.atWarn().addKeyValue("instance", id).setCause(e).log("lease could not be ended");
      }
    }
  }

  @Override
  public boolean isRunning() {
    return heartbeat != null;
  }

  private final class Heartbeat {

    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("instance-lease").start(this::beat);

    private void beat() {
      boolean failing = false;
      try {
        while (!ended.await(period.toMillis(), TimeUnit.MILLISECONDS)) {
          failing = renew(failing);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private boolean renew(boolean failing) {
      try {
        rows.renew(id, host, LEASE);
        alone = !rows.hasOthers(id);
        if (failing) {
          log.atInfo().addKeyValue("instance", id).log("lease renewed again");
        }
        return false;
      } catch (DataAccessException | TransactionException e) {
        if (!failing) {
          log.atWarn().addKeyValue("instance", id).setCause(e).log("lease could not be renewed");
        }
        return true;
      }
    }

    /** Waits for a renewal under way, lest it revive the lease that is about to be ended. */
    void end() {
      ended.countDown();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static String host() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return "unknown";
    }
  }
}
