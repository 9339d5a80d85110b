package mesh.workspace;

import java.util.Optional;
import mesh.execution.Capability;
import mesh.run.RunId;
import mesh.tool.ToolRefusal;
import org.springframework.stereotype.Component;

/** Whether a run can use the tools that need a shell, and those that only need files. */
@Component
class ShellTools {

  private final Workspaces workspaces;
  private final Placement placement;

  ShellTools(Workspaces workspaces, Placement placement) {
    this.workspaces = workspaces;
    this.placement = placement;
  }

  /** Why tools that need a shell cannot be used; empty if they can. */
  Optional<ToolRefusal.NotPossible> unavailable(RunId run) {
    return workspaces
        .held(run)
        .map(workspace -> workspace.lacks(Capability.SHELL))
        .orElseGet(() -> placement.lacks(run, Capability.SHELL));
  }

  /** Why tools that need no more than files cannot be used; empty if they can. */
  Optional<ToolRefusal.NotPossible> filesUnavailable(RunId run) {
    return workspaces.held(run).isPresent() ? Optional.empty() : placement.impossible(run);
  }
}
