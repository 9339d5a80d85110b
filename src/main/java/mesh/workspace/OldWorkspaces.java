package mesh.workspace;

import java.time.Duration;
import mesh.execution.catalog.BackendName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Retires what should have gone: workspaces whose run has ended, that outlived the longest run, or
 * that slept without anybody coming for them; and tries again what was stranded on a runtime that
 * has its credential back.
 */
@Component
class OldWorkspaces implements Sweep {

  private static final Logger log = LoggerFactory.getLogger(OldWorkspaces.class);
  private static final Duration MOST = Duration.ofMinutes(1);

  private final ReleaseRepository rows;
  private final Backends backends;
  private final Releaser releaser;
  private final WorkspaceLimits limits;

  OldWorkspaces(
      ReleaseRepository rows, Backends backends, Releaser releaser, WorkspaceLimits limits) {
    this.rows = rows;
    this.backends = backends;
    this.releaser = releaser;
    this.limits = limits;
  }

  @Override
  public String name() {
    return "old";
  }

  @Override
  public Duration period() {
    return limits.sweepEvery().compareTo(MOST) < 0 ? limits.sweepEvery() : MOST;
  }

  @Override
  public void sweep() {
    int ended = rows.retireOfEndedRuns();
    int expired = rows.retireExpired();
    int outlived = rows.retireOlderThan(limits.longestRun());
    int again = 0;
    for (var backend : rows.strandedOn()) {
      if (backends.named(new BackendName(backend)).isPresent()) {
        again += rows.retryStranded(backend);
      }
    }
    if (ended + expired + outlived + again > 0) {
      log.atInfo()
          .addKeyValue("of_ended_runs", ended)
          .addKeyValue("expired", expired)
          .addKeyValue("outlived_longest_run", outlived)
          .addKeyValue("stranded_again", again)
          .log("workspaces retired");
      releaser.wake();
    }
  }
}
