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
 * @param computeSeconds from the create request to the confirmed end, or to now
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
    double computeSeconds) {}
