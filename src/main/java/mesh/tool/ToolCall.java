package mesh.tool;

import mesh.run.RunId;
import tools.jackson.databind.JsonNode;

/**
 * One call.
 *
 * @param run who calls; comes from a token or from the loop, never from the arguments
 * @param arguments a JSON object
 * @param live takes output as it comes
 */
public record ToolCall(RunId run, JsonNode arguments, LiveOutput live) {}
