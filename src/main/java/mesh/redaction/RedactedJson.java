package mesh.redaction;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** JSON without secrets: every text in it, and every name, before it is written with escapes. */
public final class RedactedJson {

  private RedactedJson() {}

  /** The same node if there was nothing to redact. */
  public static JsonNode of(JsonNode node, Redactions redactions) {
    if (redactions.equals(Redactions.NONE)) {
      return node;
    }
    return switch (node) {
      case ObjectNode object -> object(object, redactions);
      case ArrayNode array -> {
        var copy = JsonNodeFactory.instance.arrayNode(array.size());
        array.forEach(element -> copy.add(of(element, redactions)));
        yield copy;
      }
      default -> node.isString() ? text(node, redactions) : node;
    };
  }

  /** As {@link #of(JsonNode, Redactions)}. */
  public static ObjectNode object(ObjectNode object, Redactions redactions) {
    if (redactions.equals(Redactions.NONE)) {
      return object;
    }
    var copy = JsonNodeFactory.instance.objectNode();
    object
        .properties()
        .forEach(property ->
            copy.set(redactions.apply(property.getKey()), of(property.getValue(), redactions)));
    return copy;
  }

  private static JsonNode text(JsonNode node, Redactions redactions) {
    var text = node.stringValue();
    var redacted = redactions.apply(text);
    return redacted.equals(text) ? node : JsonNodeFactory.instance.stringNode(redacted);
  }
}
