package mesh.workspace;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The tools' argument schemas, as text beside the tool. */
final class Schemas {

  private static final JsonMapper JSON = new JsonMapper();

  private Schemas() {}

  static JsonNode parse(String schema) {
    return JSON.readTree(schema);
  }
}
