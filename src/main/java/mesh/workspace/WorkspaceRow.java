package mesh.workspace;

import mesh.execution.ExternalRef;
import mesh.execution.Size;
import mesh.execution.catalog.BackendName;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;

/**
 * What acquisition and release need to know of a row.
 *
 * @param backend null while pending
 * @param key the create key; null while pending
 * @param ref null until the vendor answered
 * @param size null while pending
 * @param nextSize what its next sandbox is to have; null for the usual
 * @param egress where its code may connect, as JSON; null if nothing was settled yet
 * @param releaseReason null unless it is on its way out, asleep or lost
 * @param returns whether a release that is under way leads to sleep or to another sandbox
 * @param manifest what lay in it when it fell asleep, as JSON; null if nobody could look
 * @param resume what its run was or is to be told of what came before; null if nothing
 * @param leftBy whose sandbox it was before; its own run if nobody's
 * @param makerAlive whether the instance that was making the sandbox still has a lease; false if
 *     nobody is at it, or this instance is
 * @param abandoned whether no living instance is at it, this one included
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
    @Nullable Size nextSize,
    @Nullable String egress,
    @Nullable String releaseReason,
    boolean returns,
    @Nullable String manifest,
    @Nullable String resume,
    RunId leftBy,
    boolean makerAlive,
    boolean abandoned) {}
