package mesh.simulator.model;

import java.util.ArrayList;
import java.util.List;
import mesh.simulator.model.ModelReply.Call;
import mesh.simulator.model.ModelReply.HiddenThought;
import mesh.simulator.model.ModelReply.Text;
import mesh.simulator.model.ModelReply.Thought;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Replies as the events of either protocol's stream. */
final class Events {

  private static final int PIECE = 7;

  private Events() {}

  static List<String> of(Dialogue dialogue, ModelReply reply) {
    return dialogue == Dialogue.ANTHROPIC ? anthropic(reply) : openAi(reply);
  }

  private static List<String> anthropic(ModelReply reply) {
    var events = new ArrayList<String>();
    var start = event("message_start");
    var message = start.putObject("message");
    message.put("id", "msg_simulated").put("type", "message").put("role", "assistant");
    message.put("model", "simulated").putNull("stop_reason").putNull("stop_sequence");
    message.putArray("content");
    var usage = message.putObject("usage");
    usage.put("input_tokens", reply.tokens().fresh()).put("output_tokens", 1);
    usage.put("cache_creation_input_tokens", reply.tokens().written());
    usage.put("cache_read_input_tokens", reply.tokens().cached());
    events.add(named(start));
    events.add(named(event("ping")));
    for (int i = 0; i < reply.parts().size(); i++) {
      block(i, reply.parts().get(i), events);
    }
    var end = event("message_delta");
    end.putObject("delta").put("stop_reason", anthropicWord(reply.end())).putNull("stop_sequence");
    end.putObject("usage").put("output_tokens", reply.tokens().said());
    events.add(named(end));
    events.add(named(event("message_stop")));
    return events;
  }

  private static void block(int index, ModelReply.Part part, List<String> events) {
    var start = event("content_block_start").put("index", index);
    var block = start.putObject("content_block");
    var deltas = new ArrayList<ObjectNode>();
    switch (part) {
      case Text(var text) -> {
        block.put("type", "text").put("text", "");
        pieces(text).forEach(piece -> deltas.add(delta("text_delta").put("text", piece)));
      }
      case Thought(var text, var signature) -> {
        block.put("type", "thinking").put("thinking", "").put("signature", "");
        pieces(text).forEach(piece -> deltas.add(delta("thinking_delta").put("thinking", piece)));
        deltas.add(delta("signature_delta").put("signature", signature));
      }
      case HiddenThought(var data) -> block.put("type", "redacted_thinking").put("data", data);
      case Call(var id, var tool, var arguments) -> {
        block.put("type", "tool_use").put("id", id).put("name", tool).putObject("input");
        deltas.add(delta("input_json_delta").put("partial_json", ""));
        pieces(arguments)
            .forEach(piece -> deltas.add(delta("input_json_delta").put("partial_json", piece)));
      }
    }
    events.add(named(start));
    for (var delta : deltas) {
      var event = event("content_block_delta").put("index", index);
      event.set("delta", delta);
      events.add(named(event));
    }
    events.add(named(event("content_block_stop").put("index", index)));
  }

  private static String anthropicWord(ModelReply.End end) {
    return switch (end) {
      case DONE -> "end_turn";
      case CALLS -> "tool_use";
      case LENGTH -> "max_tokens";
      case REFUSED -> "refusal";
      case PAUSED -> "pause_turn";
    };
  }

  private static List<String> openAi(ModelReply reply) {
    var events = new ArrayList<String>();
    events.add(chunk(object().put("role", "assistant").put("content", ""), null));
    int index = 0;
    for (var part : reply.parts()) {
      switch (part) {
        case Text(var text) ->
            pieces(text).forEach(piece -> events.add(chunk(object().put("content", piece), null)));
        case Call(var id, var tool, var arguments) -> {
          var first = object().put("index", index).put("id", id).put("type", "function");
          first.putObject("function").put("name", tool).put("arguments", "");
          events.add(chunk(calls(first), null));
          for (var piece : pieces(arguments)) {
            var more = object().put("index", index);
            more.putObject("function").put("arguments", piece);
            events.add(chunk(calls(more), null));
          }
          index++;
        }
        case Thought _, HiddenThought _ ->
            throw new IllegalArgumentException("this protocol has no thoughts");
      }
    }
    events.add(
        chunk(
            object(),
            switch (reply.end()) {
              case DONE, PAUSED -> "stop";
              case CALLS -> "tool_calls";
              case LENGTH -> "length";
              case REFUSED -> "content_filter";
            }));
    var tokens = reply.tokens();
    var last = envelope();
    last.putArray("choices");
    long input = tokens.fresh() + tokens.written() + tokens.cached();
    var usage = last.putObject("usage");
    usage.put("prompt_tokens", input).put("completion_tokens", tokens.said());
    usage.put("total_tokens", input + tokens.said());
    usage.putObject("prompt_tokens_details").put("cached_tokens", tokens.cached());
    events.add("data: " + last + "\n\n");
    events.add("data: [DONE]\n\n");
    return events;
  }

  private static ObjectNode calls(ObjectNode call) {
    var delta = object();
    delta.putArray("tool_calls").add(call);
    return delta;
  }

  private static String chunk(ObjectNode delta, @Nullable String finish) {
    var chunk = envelope();
    var choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.set("delta", delta);
    choice.put("finish_reason", finish);
    return "data: " + chunk + "\n\n";
  }

  private static ObjectNode envelope() {
    return object()
        .put("id", "chatcmpl-simulated")
        .put("object", "chat.completion.chunk")
        .put("created", 1)
        .put("model", "simulated");
  }

  static String error(Dialogue dialogue, String code, String message) {
    var error = object();
    if (dialogue == Dialogue.ANTHROPIC) {
      error.put("type", "error").putObject("error").put("type", code).put("message", message);
    } else {
      error.putObject("error").put("message", message).put("code", code).put("type", code);
    }
    return error.toString();
  }

  static String errorEvent(Dialogue dialogue, String code, String message) {
    var data = "data: " + error(dialogue, code, message) + "\n\n";
    return dialogue == Dialogue.ANTHROPIC ? "event: error\n" + data : data;
  }

  private static List<String> pieces(String text) {
    var pieces = new ArrayList<String>();
    for (int at = 0; at < text.length(); at += PIECE) {
      pieces.add(text.substring(at, Math.min(text.length(), at + PIECE)));
    }
    return pieces;
  }

  private static String named(ObjectNode event) {
    return "event: " + event.path("type").asString("") + "\ndata: " + event + "\n\n";
  }

  private static ObjectNode event(String type) {
    return object().put("type", type);
  }

  private static ObjectNode delta(String type) {
    return object().put("type", type);
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }
}
