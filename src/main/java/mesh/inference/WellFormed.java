package mesh.inference;

import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Text without what JSON or PostgreSQL refuse: halves of surrogate pairs and the character 0. Both
 * become the replacement character, since a reply that cannot be committed would end its run.
 */
final class WellFormed {

  private static final char REPLACEMENT = '\uFFFD';

  private WellFormed() {}

  static String text(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0 || Character.isSurrogate(c)) {
        return rewritten(text);
      }
    }
    return text;
  }

  /** The first characters, without half a pair at the end. */
  static String cut(String text, int length) {
    if (text.length() <= length) {
      return text;
    }
    var end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
    return text.substring(0, end);
  }

  /** All texts and names in it. */
  static JsonNode json(JsonNode json) {
    if (json.isString()) {
      return JsonNodeFactory.instance.stringNode(text(json.asString()));
    }
    if (json.isArray()) {
      var array = JsonNodeFactory.instance.arrayNode();
      json.forEach(element -> array.add(json(element)));
      return array;
    }
    if (json.isObject()) {
      var object = JsonNodeFactory.instance.objectNode();
      for (Map.Entry<String, JsonNode> field : json.properties()) {
        object.set(text(field.getKey()), json(field.getValue()));
      }
      return object;
    }
    return json;
  }

  private static String rewritten(String text) {
    var rewritten = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        rewritten.append(c).append(text.charAt(++i));
      } else {
        rewritten.append(c == 0 || Character.isSurrogate(c) ? REPLACEMENT : c);
      }
    }
    return rewritten.toString();
  }
}
