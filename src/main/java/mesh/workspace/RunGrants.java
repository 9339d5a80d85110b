package mesh.workspace;

import java.util.List;
import java.util.Optional;
import mesh.credential.Issuance;
import mesh.credential.Issuances;
import mesh.credential.Vault;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import tools.jackson.databind.JsonNode;

/** What a run could see and reach, from rows alone: nothing of it is worked out afterwards. */
@Service
public class RunGrants {

  private final Issuances issuances;
  private final Vault vault;
  private final WorkspaceLedger workspaces;

  RunGrants(Issuances issuances, Vault vault, WorkspaceLedger workspaces) {
    this.issuances = issuances;
    this.vault = vault;
    this.workspaces = workspaces;
  }

  public Seen of(RunId run) {
    var workspace = workspaces.ofRun(run).filter(view -> view.backendKind() != null);
    return new Seen(
        issuances.of(run),
        vault.readBy(run),
        workspace,
        workspace.map(WorkspaceView::egress).orElse(null));
  }

  /**
   * @param issuances empty if the run never reached for a sandbox
   * @param vault the names of the entries its commands were given
   * @param workspace empty if it never had a sandbox
   * @param egress the network policy of its sandbox; null if it never had one
   */
  public record Seen(
      List<Issuance> issuances,
      List<String> vault,
      Optional<WorkspaceView> workspace,
      @Nullable JsonNode egress) {}
}
