package mesh.tool;

import java.util.List;
import mesh.run.Replayability;
import tools.jackson.databind.JsonNode;

/**
 * How a tool introduces itself to a model.
 *
 * @param name lower snake case
 * @param text what it does, what comes back, and its limits, for a model
 * @param inputSchema JSON Schema (2020-12) of its arguments: an object
 * @param needs what must be there, such as {@code workspace} or {@code secret:…}
 * @param replayability what may be done about a lost outcome
 */
public record ToolDescription(
    String name,
    String text,
    JsonNode inputSchema,
    List<String> needs,
    Replayability replayability) {

  public ToolDescription {
    needs = List.copyOf(needs);
  }
}
