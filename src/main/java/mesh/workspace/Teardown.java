package mesh.workspace;

import mesh.execution.ExternalRef;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;

/**
 * A claimed row of the queue of sandboxes that must go.
 *
 * @param attempts with this one
 * @param reason why it must go, in the words of the row
 * @param backend null if it never had one
 * @param key null if it never had a sandbox
 * @param ref null if the vendor's answer was never seen
 * @param settled whether it has waited so long that a late create would have shown
 */
record Teardown(
    WorkspaceId workspace,
    RunId run,
    long fence,
    int attempts,
    String reason,
    @Nullable String backend,
    @Nullable String key,
    @Nullable ExternalRef ref,
    boolean settled) {

  /**
   * Whether the sandbox's files must not survive: what was delivered to it is worth nothing now.
   */
  boolean mustDestroy() {
    return !reason.startsWith("run_");
  }
}
