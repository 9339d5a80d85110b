package mesh.agentapi;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What {@code tools/call} asks for.
 *
 * @param tool empty if none is named
 * @param arguments as they came, an object or not
 * @param progressToken a text or a whole number; null if the client wants no progress
 */
record McpCall(String tool, JsonNode arguments, @Nullable Object progressToken) {

  static McpCall of(JsonNode params) {
    var arguments = params.path("arguments");
    return new McpCall(
        params.path("name").asString(""),
        arguments.isMissingNode() || arguments.isNull()
            ? JsonNodeFactory.instance.objectNode()
            : arguments,
        token(params.path("_meta").path("progressToken")));
  }

  private static @Nullable Object token(JsonNode token) {
    if (token.isString()) {
      return token.asString();
    }
    return token.isIntegralNumber() && token.canConvertToLong() ? (Object) token.asLong() : null;
  }

  Map<String, String> withoutArguments() {
    return Map.of("name", tool);
  }
}
