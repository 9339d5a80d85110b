package mesh.workspace;

import java.time.Duration;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/**
 * Keeps workspaces from being taken for idle while a command runs in them, however long and quiet
 * it is.
 */
@Component
class BusyWorkspaces implements Sweep {

  private final InFlight inFlight;
  private final WorkspaceRepository rows;
  private final WorkspaceLimits limits;

  BusyWorkspaces(InFlight inFlight, WorkspaceRepository rows, WorkspaceLimits limits) {
    this.inFlight = inFlight;
    this.rows = rows;
    this.limits = limits;
  }

  @Override
  public String name() {
    return "busy";
  }

  /** Often enough that one that fails does no harm. */
  @Override
  public Duration period() {
    return limits.idle().dividedBy(5);
  }

  @Override
  public void sweep() {
    var busy =
        inFlight.inSandboxes().stream()
            .map(operation -> operation.hold().lease().workspace())
            .collect(Collectors.toSet());
    if (!busy.isEmpty()) {
      rows.used(busy);
    }
  }
}
