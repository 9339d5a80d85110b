package mesh.simulator.kubernetes;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** Objects as this API writes and reads them. */
final class Json {

  private static final JsonMapper MAPPER = JsonMapper.shared();
  private static final YAMLMapper YAML = YAMLMapper.shared();

  private Json() {}

  static String write(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  static ObjectNode object(Map<String, ?> value) {
    return (ObjectNode) MAPPER.<JsonNode>valueToTree(value);
  }

  static JsonNode list(List<?> value) {
    return MAPPER.valueToTree(value);
  }

  static ObjectNode empty() {
    return MAPPER.createObjectNode();
  }

  /** What a client sent, also as YAML; nothing at all is an empty object. */
  static JsonNode read(byte[] bytes, String contentType) {
    if (bytes.length == 0) {
      return empty();
    }
    try {
      return contentType.contains("yaml") ? YAML.readTree(bytes) : MAPPER.readTree(bytes);
    } catch (JacksonException e) {
      throw Refusal.badRequest("the object provided is unrecognized: " + e.getOriginalMessage());
    }
  }

  static ObjectNode readObject(byte[] bytes, String contentType) {
    if (read(bytes, contentType) instanceof ObjectNode object) {
      return object;
    }
    throw Refusal.badRequest("the object provided is unrecognized: no object");
  }

  static ObjectNode metadata(ObjectNode object) {
    return object.withObjectProperty("metadata");
  }

  /** For example {@code spec.nodeName}; empty if there is none. */
  static String text(JsonNode object, String path) {
    var found = object;
    for (var part : path.split("\\.", -1)) {
      found = found.path(part);
    }
    return found.asString("");
  }

  static Map<String, String> texts(JsonNode object) {
    var texts = new LinkedHashMap<String, String>();
    object.properties().forEach(it -> texts.put(it.getKey(), it.getValue().asString("")));
    return texts;
  }

  /** To the second, as the API has times. */
  static String time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
