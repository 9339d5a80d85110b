package mesh.workspace;

import mesh.execution.ExternalRef;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;

/**
 * A claimed row of the queue of sandboxes that must go.
 *
 * @param attempts with this one
 * @param backend null if it never had one
 * @param key null if it never had a sandbox
 * @param ref null if the vendor's answer was never seen
 * @param keep whether it may sleep; otherwise its files must not survive
 * @param settled whether it has waited so long that a late create would have shown
 */
record Teardown(
    WorkspaceId workspace,
    RunId run,
    long fence,
    int attempts,
    @Nullable String backend,
    @Nullable String key,
    @Nullable ExternalRef ref,
    boolean keep,
    boolean settled) {}
