package mesh.workspace;

import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.EgressControl;
import mesh.execution.Sandbox;
import mesh.execution.SandboxSpec;

/** Asks a backend for a sandbox under a policy; the only place that does. */
final class Acquisition {

  private Acquisition() {}

  /**
   * @throws BackendException.Rejected if the backend cannot keep the policy; it was asked nothing
   */
  static Sandbox of(Backend backend, SandboxSpec spec, Egress egress) throws InterruptedException {
    return switch (egress) {
      case Egress.Open _ -> backend.acquire(spec);
      case Egress.Allowlist list when backend instanceof EgressControl control ->
          control.acquire(spec, list.policy());
      // It was configured anew since that was settled.
      case Egress.Allowlist _ ->
          throw new BackendException.Rejected(
              "it cannot restrict network access any more, and only listed hosts may be reached",
              null);
    };
  }
}
