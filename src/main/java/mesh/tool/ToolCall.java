package mesh.tool;

import mesh.run.RunId;
import tools.jackson.databind.JsonNode;

/**
 * One call.
 *
 * @param run who calls; comes from a token or from the loop, never from the arguments
 * @param arguments a JSON object
 * @param live takes output as it comes
 * @param id by which a model's reply asked for it; empty if the run is driven from elsewhere
 */
public record ToolCall(RunId run, JsonNode arguments, LiveOutput live, String id) {

  /** The same, its output heard by {@code other} instead. */
  ToolCall heardBy(LiveOutput other) {
    return new ToolCall(run, arguments, other, id);
  }

  /** By an agent that drives its run itself. */
  public ToolCall(RunId run, JsonNode arguments, LiveOutput live) {
    this(run, arguments, live, "");
  }
}
