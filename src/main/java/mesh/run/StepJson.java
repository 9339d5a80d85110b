package mesh.run;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A step as the operators' API answers it. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record StepJson(
    int seq,
    String kind,
    @Nullable String tool,
    @Nullable String replayability,
    String status,
    @Nullable JsonNode input,
    @Nullable JsonNode output,
    Instant startedAt,
    @Nullable Instant finishedAt,
    @Nullable String awaits) {

  static StepJson of(Step step) {
    return new StepJson(
        step.seq(),
        step.kind().word(),
        step.tool(),
        step.replayability() == null ? null : step.replayability().word(),
        step.status().word(),
        step.input(),
        step.output(),
        step.startedAt(),
        step.finishedAt(),
        step.awaits() == null ? null : step.awaits().word());
  }
}
