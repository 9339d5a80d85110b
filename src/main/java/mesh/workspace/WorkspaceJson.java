package mesh.workspace;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A workspace as the operators' API answers it. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record WorkspaceJson(
    UUID id,
    UUID run,
    String agent,
    String createdBy,
    @Nullable String backendKind,
    String status,
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
    @Nullable JsonNode resume) {

  static WorkspaceJson of(WorkspaceView view) {
    return new WorkspaceJson(
        view.id().value(),
        view.run().value(),
        view.agentSlug(),
        view.createdByName(),
        view.backendKind(),
        view.state().word(),
        view.size(),
        view.egress(),
        view.createdAt(),
        view.acquiredAt(),
        view.releasedAt(),
        view.releaseReason(),
        view.releaseError(),
        view.releaseAttempts(),
        milli(view.computeSeconds()),
        milli(view.sandboxSeconds()),
        view.reportedSeconds(),
        view.heldUntil(),
        view.inheritedFrom(),
        view.resume());
  }

  private static double milli(double seconds) {
    return Math.round(seconds * 1000) / 1000.0;
  }
}
