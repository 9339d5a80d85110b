package mesh.inference;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Tools' schemas as services take them: of an object, with its properties. */
final class Schemas {

  private Schemas() {}

  static ObjectNode object(JsonNode schema) {
    var object =
        schema.isObject()
            ? (ObjectNode) WellFormed.json(schema)
            : JsonNodeFactory.instance.objectNode();
    object.put("type", "object");
    if (!object.path("properties").isObject()) {
      object.putObject("properties");
    }
    return object;
  }
}
