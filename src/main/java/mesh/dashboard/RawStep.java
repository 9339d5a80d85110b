package mesh.dashboard;

import java.time.Instant;
import mesh.run.Step;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** A step as the operators' API answers it, for the page that shows steps as they are stored. */
@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
record RawStep(
    int seq,
    String kind,
    @Nullable String tool,
    String status,
    @Nullable JsonNode input,
    @Nullable JsonNode output,
    Instant startedAt,
    @Nullable Instant finishedAt) {

  static RawStep of(Step step) {
    return new RawStep(
        step.seq(),
        step.kind().word(),
        step.tool(),
        step.status().word(),
        step.input(),
        step.output(),
        step.startedAt(),
        step.finishedAt());
  }
}
