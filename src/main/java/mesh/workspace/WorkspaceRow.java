package mesh.workspace;

import mesh.execution.ExternalRef;
import mesh.execution.Size;
import mesh.execution.catalog.BackendName;
import org.jspecify.annotations.Nullable;

/**
 * What acquisition and release need to know of a row.
 *
 * @param backend null while pending
 * @param key the create key; null while pending
 * @param ref null until the vendor answered
 * @param size null while pending
 * @param releaseReason null unless it is on its way out
 * @param makerAlive whether the instance that was making the sandbox still has a lease; false if
 *     nobody is at it
 */
record WorkspaceRow(
    WorkspaceId id,
    WorkspaceState state,
    long fence,
    int generation,
    @Nullable BackendName backend,
    @Nullable String key,
    @Nullable ExternalRef ref,
    @Nullable Size size,
    @Nullable String releaseReason,
    boolean makerAlive) {}
