package mesh.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import mesh.inference.Reply;
import mesh.run.RunUsage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Replies as their steps have them, and back. */
final class Replies {

  private Replies() {}

  static ObjectNode json(Reply reply) {
    var json = JsonNodeFactory.instance.objectNode().put("text", reply.text());
    if (!reply.calls().isEmpty()) {
      var calls = json.putArray("calls");
      for (var call : reply.calls()) {
        calls
            .addObject()
            .put("id", call.id())
            .put("tool", call.tool())
            .set("arguments", call.arguments());
      }
    }
    json.put("stop", reply.stop().name().toLowerCase(Locale.ROOT));
    var usage = reply.usage();
    if (!usage.equals(Reply.Usage.NONE)) {
      json.putObject("usage")
          .put("input_tokens", usage.input())
          .put("cached_input_tokens", usage.cachedInput())
          .put("output_tokens", usage.output())
          .put("cost_micros", usage.costMicros());
    }
    if (!reply.kept().isEmpty()) {
      json.set("kept", reply.kept());
    }
    return json;
  }

  /** Also of a step from before replies had calls. */
  static Reply of(@Nullable JsonNode output) {
    var json = output == null ? JsonNodeFactory.instance.objectNode() : output;
    List<Reply.Call> calls = new ArrayList<>();
    json.path("calls")
        .forEach(call ->
            calls.add(
                new Reply.Call(
                    call.path("id").asString(""),
                    call.path("tool").asString(""),
                    call.path("arguments"))));
    var usage = json.path("usage");
    return new Reply(
        json.path("text").asString(""),
        calls,
        stop(json.path("stop").asString("calls")),
        new Reply.Usage(
            usage.path("input_tokens").asLong(0),
            usage.path("cached_input_tokens").asLong(0),
            usage.path("output_tokens").asLong(0),
            usage.path("cost_micros").asLong(0)),
        json.has("kept") ? json.get("kept") : JsonNodeFactory.instance.objectNode());
  }

  private static Reply.Stop stop(String word) {
    return Reply.Stop.valueOf(word.toUpperCase(Locale.ROOT));
  }

  static RunUsage took(Reply reply) {
    var usage = reply.usage();
    return new RunUsage(1, usage.input(), usage.cachedInput(), usage.output(), usage.costMicros());
  }
}
