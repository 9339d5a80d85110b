package mesh.workspace;

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
      Lease lease, BackendName backend, int generation, Size size, boolean first, boolean replaces)
      implements Claim {}

  /** It is ready. */
  record Attach(Lease lease, BackendName backend, ExternalRef ref) implements Claim {}

  /** Another instance is making it. */
  record Wait() implements Claim {}

  /** The agent has as many workspaces as it may. */
  record LimitReached(int limit) implements Claim {}

  record RunOver() implements Claim {}

  /** It was released or is on its way. */
  record Over(WorkspaceState state) implements Claim {}
}
