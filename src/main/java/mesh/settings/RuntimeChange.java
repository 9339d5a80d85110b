package mesh.settings;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What an operator changes about a backend. Prints keys only: it may carry secrets.
 *
 * @param enabled null leaves it
 * @param config by field key; null as a value clears the field, a key left out leaves it
 */
public record RuntimeChange(@Nullable Boolean enabled, @Nullable Map<String, JsonNode> config) {

  Map<String, JsonNode> fields() {
    return config == null ? Map.of() : config;
  }

  @Override
  public String toString() {
    return "RuntimeChange[enabled=%s, config=%s]".formatted(enabled, fields().keySet());
  }
}
