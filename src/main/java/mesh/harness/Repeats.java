package mesh.harness;

import java.util.Map;
import java.util.Set;
import mesh.inference.Message;
import mesh.inference.Reply;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Counts the same call failing in the same way again and again. Honest polling is none of that: a
 * call that succeeds may be repeated for ever, and so may one whose failure changes.
 */
final class Repeats {

  /** In a row, before the run is ended. */
  static final int MOST = 10;

  /** In a row, before the model is told. */
  static final int TELLING = 5;

  /** Differ by chance between results that are the same. */
  private static final Set<String> CHANCE = Set.of("duration_ms", "artifact", "notice");

  private String last = "";
  private String tool = "";
  private int times;

  void add(Reply.Call call, Message.Result result) {
    if (!failed(result)) {
      last = "";
      times = 0;
      return;
    }
    var now = call.tool() + '\n' + call.arguments() + '\n' + lasting(result.output());
    times = now.equals(last) ? times + 1 : 1;
    last = now;
    tool = call.tool();
  }

  private static boolean failed(Message.Result result) {
    return result.failed()
        || (result.output().has("outcome") && result.output().path("exit_code").asInt(-1) != 0);
  }

  private static JsonNode lasting(JsonNode output) {
    if (!output.isObject()) {
      return output;
    }
    ObjectNode lasting = JsonNodeFactory.instance.objectNode();
    for (Map.Entry<String, JsonNode> field : output.properties()) {
      if (!CHANCE.contains(field.getKey())) {
        lasting.set(field.getKey(), field.getValue());
      }
    }
    return lasting;
  }

  int times() {
    return times;
  }

  String tool() {
    return tool;
  }
}
