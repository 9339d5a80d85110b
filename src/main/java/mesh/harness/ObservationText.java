package mesh.harness;

import java.util.Map;
import mesh.inference.Message.Result;
import mesh.tool.ProgressBars;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * A tool's result as a model reads it: its short fields as one line of JSON, then each long text as
 * it is and not as a JSON string, in which every line break costs twice.
 */
final class ObservationText {

  private static final int SHORT = 60;

  private ObservationText() {}

  static String of(JsonNode output) {
    if (!output.isObject()) {
      return output.toString();
    }
    var facts = JsonNodeFactory.instance.objectNode();
    var texts = new StringBuilder();
    for (Map.Entry<String, JsonNode> field : output.properties()) {
      var value = field.getValue();
      if (value.isNull() || (value.isString() && value.stringValue().isEmpty())) {
        // Nothing to be said.
      } else if (value.isString() && isText(value.stringValue())) {
        texts
            .append('\n')
            .append(field.getKey())
            .append(":\n")
            .append(ProgressBars.collapse(value.stringValue()));
      } else {
        facts.set(field.getKey(), value);
      }
    }
    return facts.isEmpty() ? texts.toString().stripLeading() : facts.toString() + texts;
  }

  private static boolean isText(String value) {
    return value.length() > SHORT || value.indexOf('\n') >= 0;
  }

  /** The same result with at most {@code most} characters of text: its head and its tail. */
  static Result shortened(Result result, int most) {
    var text = result.text();
    if (text.length() <= most) {
      return result;
    }
    int head = cut(text, most / 2);
    int tail = cut(text, text.length() - most / 2);
    return new Result(
        result.call(),
        result.tool(),
        result.failed(),
        JsonNodeFactory.instance.objectNode(),
        "%s\n… %,d characters left out here to keep within the context: ask again for what you need …\n%s"
            .formatted(text.substring(0, head), tail - head, text.substring(tail)));
  }

  /** Never between the halves of a character. */
  private static int cut(String text, int at) {
    return at > 0 && at < text.length() && Character.isLowSurrogate(text.charAt(at)) ? at - 1 : at;
  }
}
