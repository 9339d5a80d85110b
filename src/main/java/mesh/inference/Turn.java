package mesh.inference;

import tools.jackson.databind.JsonNode;

/** What a model decided. */
public sealed interface Turn {

  /**
   * Call a tool.
   *
   * @param text what the model said with it; may be empty
   */
  record Call(String text, String tool, JsonNode arguments) implements Turn {}

  /**
   * The run is over.
   *
   * @param text a summary for whoever asked
   */
  record Done(boolean succeeded, String text) implements Turn {}
}
