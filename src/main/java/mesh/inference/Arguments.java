package mesh.inference;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** The arguments of a call, from the text that services stream and back. */
final class Arguments {

  /** So much of what was no JSON is kept, for somebody to see. */
  static final int LONGEST_GARBAGE = 2_000;

  static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private Arguments() {}

  /** What a model said; a string, cut, if it was no JSON. */
  static JsonNode of(String text) {
    if (text.isBlank()) {
      // So services say that there are none.
      return JsonNodeFactory.instance.objectNode();
    }
    var json = parsed(text);
    if (json == null) {
      return JsonNodeFactory.instance.stringNode(
          WellFormed.cut(WellFormed.text(text), LONGEST_GARBAGE));
    }
    if (json.isString()) {
      // Some models encode their arguments twice.
      var inner = parsed(json.asString());
      return inner != null && inner.isObject()
          ? WellFormed.json(inner)
          : JsonNodeFactory.instance.stringNode(
              WellFormed.cut(WellFormed.text(json.asString()), LONGEST_GARBAGE));
    }
    return WellFormed.json(json);
  }

  static boolean areJson(String text) {
    return text.isBlank() || parsed(text) != null;
  }

  /** As services want them back: what was no object becomes an empty one. */
  static JsonNode object(JsonNode arguments) {
    return arguments.isObject()
        ? WellFormed.json(arguments)
        : JsonNodeFactory.instance.objectNode();
  }

  /** For libraries that do not know this version of Jackson. */
  @SuppressWarnings("unchecked")
  static Map<String, Object> plain(JsonNode object) {
    return JSON.convertValue(object, Map.class);
  }

  private static @Nullable JsonNode parsed(String text) {
    try {
      return JSON.readTree(text);
    } catch (JacksonException e) {
      return null;
    }
  }
}
