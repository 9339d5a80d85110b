package mesh.inference;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Everything a model is told.
 *
 * @param system who it is and what holds for the whole run; may be empty
 * @param messages oldest first; begins with one that was {@link Message.Asked}, and each reply with
 *     calls is followed by the results of exactly those calls
 * @param tools what it may call
 */
public record Prompt(String system, List<Message> messages, List<ToolOffer> tools) {

  public Prompt {
    messages = List.copyOf(messages);
    tools = List.copyOf(tools);
  }

  /**
   * A tool as a model sees it.
   *
   * @param schema JSON Schema of its arguments: an object
   */
  public record ToolOffer(String name, String text, JsonNode schema) {}
}
