package mesh.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.UUID;
import mesh.run.RunWorkspaces.RunWorkspace;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A run as the operators' API answers it. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record RunJson(
    UUID id,
    String agent,
    String status,
    @Nullable String statusReason,
    String mode,
    String input,
    @Nullable String summary,
    @Nullable UUID conversation,
    @Nullable UUID parentRun,
    @Nullable UUID continues,
    String createdBy,
    @Nullable String onBehalfOf,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant endedAt,
    double computeSeconds,
    UsageJson usage,
    @Nullable WorkspaceJson workspace,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String token) {

  static RunJson of(Run run, @Nullable RunWorkspace workspace) {
    return new RunJson(
        run.id().value(),
        run.agentSlug(),
        run.status().word(),
        run.statusReason(),
        run.mode().word(),
        run.input(),
        run.summary(),
        run.conversation(),
        run.parent() == null ? null : run.parent().value(),
        run.continues() == null ? null : run.continues().value(),
        run.createdByName(),
        run.onBehalfOf(),
        run.createdAt(),
        run.startedAt(),
        run.endedAt(),
        workspace == null ? 0 : Math.round(workspace.computeSeconds() * 1000) / 1000.0,
        UsageJson.of(run.usage()),
        workspace == null ? null : WorkspaceJson.of(workspace),
        null);
  }

  /** The same with the token of an external run, which is shown this once. */
  RunJson withToken(String plaintext) {
    return new RunJson(
        id,
        agent,
        status,
        statusReason,
        mode,
        input,
        summary,
        conversation,
        parentRun,
        continues,
        createdBy,
        onBehalfOf,
        createdAt,
        startedAt,
        endedAt,
        computeSeconds,
        usage,
        workspace,
        plaintext);
  }

  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record WorkspaceJson(
      UUID id, String status, @Nullable String backendKind, @Nullable String size) {

    static WorkspaceJson of(RunWorkspace workspace) {
      return new WorkspaceJson(
          workspace.id(), workspace.status(), workspace.backendKind(), workspace.size());
    }
  }

  /**
   * What its model took.
   *
   * @param cost in the currency of the connection's prices; 0 without prices
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record UsageJson(
      int modelCalls, long inputTokens, long cachedInputTokens, long outputTokens, double cost) {

    static UsageJson of(RunUsage usage) {
      return new UsageJson(
          usage.modelCalls(),
          usage.inputTokens(),
          usage.cachedInputTokens(),
          usage.outputTokens(),
          usage.costMicros() / 1_000_000.0);
    }
  }

  @Override
  public String toString() {
    return "RunJson[" + id + "]";
  }
}
