package mesh.workspace;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Puts sandboxes to sleep that nobody uses, or ends them where they cannot sleep. Their runs go on:
 * the next call wakes the sandbox or makes a new one, and says so.
 */
@Component
class IdleWorkspaces implements Sweep {

  private static final Logger log = LoggerFactory.getLogger(IdleWorkspaces.class);
  private static final Duration MOST = Duration.ofMinutes(1);

  private final ReleaseRepository rows;
  private final HibernatingRuntimes hibernating;
  private final Workspaces workspaces;
  private final Releaser releaser;
  private final WorkspaceLimits limits;

  IdleWorkspaces(
      ReleaseRepository rows,
      HibernatingRuntimes hibernating,
      Workspaces workspaces,
      Releaser releaser,
      WorkspaceLimits limits) {
    this.rows = rows;
    this.hibernating = hibernating;
    this.workspaces = workspaces;
    this.releaser = releaser;
    this.limits = limits;
  }

  @Override
  public String name() {
    return "idle";
  }

  @Override
  public Duration period() {
    var part = limits.idle().dividedBy(4);
    return part.compareTo(MOST) < 0 ? part : MOST;
  }

  @Override
  public void sweep() {
    for (var run : rows.retireIdle(limits.idle(), hibernating.names())) {
      log.atInfo().addKeyValue("run", run).log("workspace idle");
      workspaces.forget(run);
      releaser.wake();
    }
  }
}
