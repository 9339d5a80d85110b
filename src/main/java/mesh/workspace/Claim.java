package mesh.workspace;

import java.util.Set;
import mesh.agent.AgentId;
import mesh.credential.Provider;
import mesh.execution.ExternalRef;
import mesh.execution.Size;
import mesh.execution.catalog.BackendName;

/** What the rows say about how a run gets at its sandbox. */
sealed interface Claim {

  /**
   * The caller makes the sandbox, and nobody else does while the fence holds.
   *
   * @param replaces whether an earlier sandbox of this workspace was lost
   * @param first whether the run never had one
   */
  record Create(
      Lease lease,
      Grantee grantee,
      BackendName backend,
      int generation,
      Size size,
      boolean first,
      boolean replaces)
      implements Claim {}

  /** It is ready. */
  record Attach(Lease lease, Grantee grantee, BackendName backend, ExternalRef ref)
      implements Claim {}

  /** What the run was issued has been changed since: it gets no sandbox any more. */
  record Outdated() implements Claim {}

  /**
   * Who gets credentials, and which.
   *
   * @param issued the providers for which the run was issued one
   */
  record Grantee(AgentId agent, Set<Provider> issued) {}

  /** Another instance is making it. */
  record Wait() implements Claim {}

  /** The agent has as many workspaces as it may. */
  record LimitReached(int limit) implements Claim {}

  record RunOver() implements Claim {}

  /**
   * It was released or is on its way.
   *
   * @param reason why, in the words of the row
   */
  record Over(WorkspaceState state, String reason) implements Claim {}
}
