package mesh.dashboard;

import java.util.List;
import java.util.stream.Stream;
import mesh.dashboard.view.Spoken;
import mesh.workspace.WorkspaceLedger;
import mesh.workspace.WorkspaceState;
import mesh.workspace.WorkspaceView;
import org.springframework.stereotype.Component;

/** The sandboxes that exist now. */
@Component
class LiveSandboxes {

  /** Of each state. An installation with more of them has other ways to look. */
  private static final int MOST = 200;

  private static final List<WorkspaceState> IN_REACH =
      List.of(WorkspaceState.CREATING, WorkspaceState.READY, WorkspaceState.HELD);

  private final WorkspaceLedger ledger;

  LiveSandboxes(WorkspaceLedger ledger) {
    this.ledger = ledger;
  }

  Stream<WorkspaceView> in(WorkspaceState state) {
    return ledger.list(state, null, null, MOST).stream();
  }

  /**
   * What a change of a credential destroys. Every sandbox was issued something of every provider,
   * be it that there is none: so it is all of the agent's.
   */
  String effect(String agentSlug) {
    long count =
        IN_REACH.stream().flatMap(this::in).filter(it -> it.agentSlug().equals(agentSlug)).count();
    if (count == 0) {
      return "No sandbox of this agent is alive, so nothing is destroyed now.";
    }
    return count == 1
        ? "Its 1 live sandbox is destroyed within seconds, and that run must be started anew."
        : "Its %s are destroyed within seconds, and their runs must be started anew."
            .formatted(Spoken.count(count, "live sandbox", "live sandboxes"));
  }
}
