package mesh.workspace;

import java.util.UUID;
import java.util.function.Supplier;
import mesh.fault.FaultPoint;
import mesh.run.RunCreated;
import mesh.run.RunEnded;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Ties workspaces to their runs: a pending row with the run, out of reach with the run's end. Both
 * in the run's own transaction, so neither can be lost; the release itself follows the commit.
 */
@Component
class RunEnds {

  private final WorkspaceRepository rows;
  private final ReleaseRepository releases;
  private final HibernatingRuntimes hibernating;
  private final WorkspaceLimits limits;
  private final Workspaces workspaces;
  private final InFlight inFlight;
  private final Releaser releaser;
  private final Supplier<UUID> ids;

  RunEnds(
      WorkspaceRepository rows,
      ReleaseRepository releases,
      HibernatingRuntimes hibernating,
      WorkspaceLimits limits,
      Workspaces workspaces,
      InFlight inFlight,
      Releaser releaser,
      Supplier<UUID> ids) {
    this.rows = rows;
    this.releases = releases;
    this.hibernating = hibernating;
    this.limits = limits;
    this.workspaces = workspaces;
    this.inFlight = inFlight;
    this.releaser = releaser;
    this.ids = ids;
  }

  @EventListener
  void created(RunCreated run) {
    rows.insertPending(new WorkspaceId(ids.get()), run.run(), run.agent(), run.createdBy());
  }

  @EventListener
  void ended(RunEnded run) {
    releases.retireOf(
        run.run(), "run_" + run.status().word(), hibernating.names(), limits.heldFor());
  }

  @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
  void gone(RunEnded run) {
    FaultPoint.RUN_END_COMMITTED.hit();
    workspaces.forget(run.run());
    inFlight.cancel(run.run());
    releaser.wake();
  }
}
