package mesh.harness;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import mesh.database.Instances;
import mesh.run.DrivenRun;
import mesh.run.RunCreated;
import mesh.run.RunEnded;
import mesh.run.RunId;
import mesh.run.RunMode;
import mesh.run.RunQueued;
import mesh.run.RunStatus;
import mesh.run.RunWaits;
import mesh.run.Runs;
import mesh.run.Spawns;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Takes runs that nobody drives and drives each on a thread of its own, under a lease that is
 * renewed while this instance lives. Another instance takes over what a dead one drove.
 */
@Component
class RunDriver implements SmartLifecycle {

  private static final Logger log = LoggerFactory.getLogger(RunDriver.class);

  private static final Duration LEASE = Duration.ofSeconds(20);
  private static final Duration PERIOD = Duration.ofSeconds(2);

  /** Runs that one instance drives at once. */
  private static final int CAPACITY = 200;

  private static final int BATCH = 20;

  private static final Duration STOP = Duration.ofSeconds(5);

  private final Runs runs;
  private final RunLoop loop;
  private final RunWaits waits;
  private final Spawns spawns;
  private final Instances instances;
  private final Map<RunId, Thread> driving = new ConcurrentHashMap<>();
  private final Set<RunId> stopped = ConcurrentHashMap.newKeySet();
  private final Semaphore awake = new Semaphore(0);
  private volatile boolean running;
  private volatile Thread dispatcher = Thread.ofVirtual().unstarted(() -> {});

  RunDriver(Runs runs, RunLoop loop, RunWaits waits, Spawns spawns, Instances instances) {
    this.runs = runs;
    this.loop = loop;
    this.waits = waits;
    this.spawns = spawns;
    this.instances = instances;
  }

  @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
  void created(RunCreated run) {
    if (run.mode() == RunMode.HARNESS) {
      awake.release();
    }
  }

  /** It waited, and can go on. */
  @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
  void queued(RunQueued run) {
    awake.release();
  }

  /** Whatever is under way for it here is cut short. */
  @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
  void ended(RunEnded run) {
    var thread = driving.get(run.run());
    if (thread != null && thread != Thread.currentThread()) {
      stop(run.run(), thread);
    }
    awake.release();
  }

  @Override
  public void start() {
    running = true;
    dispatcher = Thread.ofVirtual().name("run-dispatcher").start(this::dispatch);
  }

  /**
   * Stops driving; the runs go on elsewhere, or here after a restart. What runs is interrupted and
   * gets a moment to commit that. The dispatcher is not: an interrupt in the middle of a query
   * would cost it its connection.
   */
  @Override
  public void stop() {
    running = false;
    awake.release();
    try {
      dispatcher.join(STOP);
      var stopping = List.copyOf(driving.values());
      stopping.forEach(Thread::interrupt);
      for (var thread : stopping) {
        thread.join(STOP);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void dispatch() {
    while (running) {
      try {
        if (awake.tryAcquire(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
          awake.drainPermits();
        }
        if (running) {
          keep();
          spawns.endOrphans();
          take();
        }
      } catch (InterruptedException stopped) {
        return;
      } catch (RuntimeException e) {
        log.atWarn().setCause(e).log("runs not dispatched");
      }
    }
  }

  /** Renews the leases, and lets go of what was taken over while this instance slept. */
  private void keep() {
    if (driving.isEmpty()) {
      return;
    }
    var mine = new HashSet<>(runs.renew(instances.instanceId(), LEASE));
    driving.forEach((run, thread) -> {
      if (!mine.contains(run)) {
        stop(run, thread);
      }
    });
  }

  private void stop(RunId run, Thread thread) {
    stopped.add(run);
    thread.interrupt();
  }

  private void take() {
    int room = Math.min(BATCH, CAPACITY - driving.size());
    while (running && room > 0) {
      var claimed = runs.claim(instances.instanceId(), LEASE, room);
      claimed.forEach(this::drive);
      if (claimed.size() < room) {
        return;
      }
      room = Math.min(BATCH, CAPACITY - driving.size());
    }
  }

  private void drive(DrivenRun driven) {
    var thread = Thread.ofVirtual().name("run-" + driven.run()).unstarted(() -> run(driven));
    driving.put(driven.run(), thread);
    thread.start();
  }

  private void run(DrivenRun driven) {
    try {
      loop.drive(driven);
    } catch (InterruptedException stopped) {
      log.atInfo().addKeyValue("run", driven.run()).log("run let go");
    } catch (RuntimeException broken) {
      if (stopped.contains(driven.run())) {
        // An interrupt in the middle of a query breaks that query.
        log.atInfo().addKeyValue("run", driven.run()).log("run let go");
        return;
      }
      log.atError().setCause(broken).addKeyValue("run", driven.run()).log("run broke");
      fail(driven);
    } finally {
      stopped.remove(driven.run());
      driving.remove(driven.run(), Thread.currentThread());
      awake.release();
    }
  }

  private void fail(DrivenRun driven) {
    try {
      waits.stop(
          driven,
          RunStatus.FAILED,
          "Mesh broke while it drove this run; the log tells an operator why.");
    } catch (RuntimeException again) {
      // Its lease ends by itself, and whoever takes the run over tries anew.
      log.atWarn().setCause(again).addKeyValue("run", driven.run()).log("broken run not ended");
    }
  }
}
