package mesh.simulator.kubernetes;

import tools.jackson.databind.JsonNode;

/**
 * Which object.
 *
 * @param namespace empty for what is in none
 */
record Key(ResourceType type, String namespace, String name) {

  static Key of(ResourceType type, JsonNode object) {
    var metadata = object.path("metadata");
    return new Key(
        type,
        type.namespaced() ? metadata.path("namespace").asString("") : "",
        metadata.path("name").asString(""));
  }

  Key named(String other) {
    return new Key(type, namespace, other);
  }
}
