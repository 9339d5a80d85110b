package mesh.simulator.sprites;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import mesh.simulator.http.Response;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The bodies of this protocol. */
final class Json {

  private static final JsonMapper MAPPER = JsonMapper.shared();

  private Json() {}

  static String write(Object value) {
    return MAPPER.writeValueAsString(value);
  }

  static byte[] line(Map<String, ?> value) {
    return (write(value) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  static Response answer(int status, Object value) {
    return Response.json(status, write(value));
  }

  /** An error as the control plane words it. */
  static Response error(int status, String error) {
    return answer(status, Map.of("error", error));
  }

  /** Empty unless the bytes are one JSON object. */
  static Optional<JsonNode> object(byte[] bytes) {
    try {
      return Optional.of(MAPPER.readTree(bytes)).filter(JsonNode::isObject);
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }
}
