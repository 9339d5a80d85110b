package mesh.workspace;

import java.time.Instant;
import java.util.UUID;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A workspace as operators see it.
 *
 * @param backendKind null while pending
 * @param size null while pending
 * @param egress the network policy it was created under; null while pending
 * @param acquiredAt null until a sandbox was ready
 * @param releaseError why the last attempt to release failed; null if none did
 * @param releaseAttempts how often it was tried; 0 if never
 * @param computeSeconds how long its run could use it; what counts against the budget
 * @param sandboxSeconds how long the vendor may have counted: from create requests to confirmed
 *     ends or to now, without the time it slept
 * @param reportedSeconds the same by the vendor's own count; null if it reports none
 * @param heldUntil until when it sleeps for another run; null if it does not
 * @param inheritedFrom the workspace whose sandbox it took over; null if none
 * @param resume what its run was told of what came before, see {@code docs/agents.md}; null if
 *     nothing
 */
public record WorkspaceView(
    WorkspaceId id,
    RunId run,
    String agentSlug,
    UUID createdBy,
    String createdByName,
    @Nullable String backendKind,
    WorkspaceState state,
    @Nullable String size,
    @Nullable JsonNode egress,
    Instant createdAt,
    @Nullable Instant acquiredAt,
    @Nullable Instant releasedAt,
    @Nullable String releaseReason,
    @Nullable String releaseError,
    int releaseAttempts,
    double computeSeconds,
    double sandboxSeconds,
    @Nullable Double reportedSeconds,
    @Nullable Instant heldUntil,
    @Nullable UUID inheritedFrom,
    @Nullable JsonNode resume) {}
