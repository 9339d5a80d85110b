package mesh.workspace;

import mesh.execution.Backend;
import mesh.execution.BackendException;
import mesh.execution.ExternalRef;
import mesh.execution.Hibernator;

/** Ends a sandbox with its files, also where a release would keep them. Idempotent. */
final class Destruction {

  private Destruction() {}

  static void of(Backend backend, ExternalRef ref) throws InterruptedException {
    try {
      if (backend instanceof Hibernator hibernator) {
        hibernator.destroy(ref);
      } else {
        var _ = backend.release(ref);
      }
    } catch (BackendException.SandboxGone gone) {
      // As wanted.
    }
  }
}
