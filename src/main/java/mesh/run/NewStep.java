package mesh.run;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a step is appended from; see {@link Step}. */
record NewStep(
    Step.Kind kind,
    @Nullable String tool,
    @Nullable String call,
    @Nullable Replayability replayability,
    Step.Status status,
    @Nullable JsonNode input,
    @Nullable JsonNode output) {

  static NewStep started(
      String tool, @Nullable String call, Replayability replayability, JsonNode arguments) {
    return new NewStep(
        Step.Kind.TOOL, tool, call, replayability, Step.Status.STARTED, arguments, null);
  }

  static NewStep said(Step.Kind kind, JsonNode output) {
    return new NewStep(kind, null, null, null, Step.Status.FINISHED, null, output);
  }
}
