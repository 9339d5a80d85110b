package mesh.simulator.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the vendors refuse a request for, each broken rule in a sentence. */
final class RequestRules {

  private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_-]{1,64}");
  private static final Pattern ID = Pattern.compile("[a-zA-Z0-9_-]{1,64}");
  private static final JsonMapper JSON = new JsonMapper();

  private final List<String> broken = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();

  private RequestRules() {}

  static List<String> broken(Dialogue dialogue, JsonNode body) {
    var rules = new RequestRules();
    rules.demand(!body.path("model").asString("").isBlank(), "model is missing");
    rules.demand(body.path("stream").asBoolean(false), "Mesh always streams");
    rules.demand(!body.path("messages").isEmpty(), "messages are missing");
    if (dialogue == Dialogue.ANTHROPIC) {
      rules.anthropic(body);
    } else {
      rules.openAi(body);
    }
    return rules.broken;
  }

  private void demand(boolean holds, String rule) {
    if (!holds) {
      broken.add(rule);
    }
  }

  private void anthropic(JsonNode body) {
    demand(body.path("max_tokens").asInt(0) > 0, "max_tokens is missing");
    for (var tool : body.path("tools")) {
      tool(tool.path("name"), tool.path("input_schema"));
    }
    for (var block : body.path("system")) {
      demand(!block.path("text").asString("").isBlank(), "system: text must be non-empty");
    }
    demand(body.findValues("cache_control").size() <= 4, "at most 4 blocks with cache_control");
    var role = "assistant";
    Set<String> open = Set.of();
    for (var message : body.path("messages")) {
      demand(!message.path("role").asString("").equals(role), "roles must alternate, user first");
      role = message.path("role").asString("");
      open = role.equals("user") ? user(message, open) : assistant(message, open);
    }
    demand(role.equals("user"), "the conversation must end with a user message");
    demand(open.isEmpty(), "calls without results: " + open);
  }

  private Set<String> user(JsonNode message, Set<String> calls) {
    var open = new LinkedHashSet<>(calls);
    var whole = message.path("content").asString("");
    demand(!message.path("content").isEmpty() || !whole.isBlank(), "content must be non-empty");
    boolean results = true;
    for (var block : message.path("content")) {
      switch (block.path("type").asString("")) {
        case "text" -> {
          results = false;
          demand(!block.path("text").asString("").isBlank(), "text must be non-empty");
        }
        case "tool_result" -> {
          demand(results, "tool_result blocks come first");
          demand(
              open.remove(block.path("tool_use_id").asString("")),
              "unexpected tool_use_id " + block.path("tool_use_id"));
        }
        default -> broken.add("no user block: " + block.path("type"));
      }
    }
    demand(open.isEmpty(), "tool_use ids without tool_result: " + open);
    return Set.of();
  }

  private Set<String> assistant(JsonNode message, Set<String> open) {
    demand(open.isEmpty(), "tool_use ids without tool_result: " + open);
    demand(!message.path("content").isEmpty(), "content must be non-empty");
    var calls = new LinkedHashSet<String>();
    for (var block : message.path("content")) {
      switch (block.path("type").asString("")) {
        case "text" -> {
          var text = block.path("text").asString("");
          demand(!text.isBlank(), "text must be non-empty");
          demand(text.equals(text.stripTrailing()), "text must not end with whitespace");
        }
        case "thinking" -> {
          demand(!block.path("signature").asString("").isEmpty(), "thinking needs its signature");
          demand(!block.has("cache_control"), "thinking takes no cache_control");
        }
        case "redacted_thinking" ->
            demand(!block.path("data").asString("").isEmpty(), "redacted_thinking needs its data");
        case "tool_use" -> {
          call(block.path("id"), block.path("name"));
          demand(block.path("input").isObject(), "input must be an object");
          calls.add(block.path("id").asString(""));
        }
        default -> broken.add("no assistant block: " + block.path("type"));
      }
    }
    return calls;
  }

  private void openAi(JsonNode body) {
    demand(
        body.has("max_tokens") != body.has("max_completion_tokens"),
        "one of max_tokens and max_completion_tokens");
    for (var tool : body.path("tools")) {
      demand(tool.path("type").asString("").equals("function"), "a tool is a function");
      tool(tool.path("function").path("name"), tool.path("function").path("parameters"));
    }
    var open = new ArrayList<String>();
    var before = "";
    for (var message : body.path("messages")) {
      var role = message.path("role").asString("");
      demand(role.equals("tool") || open.isEmpty(), "calls without a tool message: " + open);
      switch (role) {
        case "system" -> demand(before.isEmpty(), "system comes first");
        case "user" -> {
          demand(!before.equals("user"), "user and assistant take turns");
          demand(!message.path("content").asString("").isBlank(), "content must be non-empty");
        }
        case "assistant" -> {
          demand(!before.equals("assistant"), "user and assistant take turns");
          demand(
              !message.path("content").asString("").isBlank()
                  || !message.path("tool_calls").isEmpty(),
              "content or tool_calls");
          for (var call : message.path("tool_calls")) {
            call(call.path("id"), call.path("function").path("name"));
            demand(
                isObject(call.path("function").path("arguments").asString("")),
                "arguments must be the JSON of an object");
            open.add(call.path("id").asString(""));
          }
        }
        case "tool" -> {
          demand(!message.path("content").asString("").isEmpty(), "content must be non-empty");
          var id = message.path("tool_call_id").asString("");
          demand(!open.isEmpty() && open.getFirst().equals(id), "unexpected tool_call_id " + id);
          open.remove(id);
        }
        default -> broken.add("no role: " + role);
      }
      before = role;
    }
    demand(open.isEmpty(), "calls without a tool message: " + open);
    demand(Set.of("user", "tool").contains(before), "it must end with a user or tool message");
  }

  private void tool(JsonNode name, JsonNode schema) {
    demand(NAME.matcher(name.asString("")).matches(), "tool name " + name);
    demand(ids.add("tool " + name), "tool names must be unique");
    demand(schema.path("type").asString("").equals("object"), "schema must be of an object");
    demand(schema.path("properties").isObject(), "schema must have properties");
  }

  private void call(JsonNode id, JsonNode name) {
    demand(ID.matcher(id.asString("")).matches(), "call id " + id);
    demand(ids.add(id.asString("")), "call ids must be unique");
    demand(NAME.matcher(name.asString("")).matches(), "tool name " + name);
  }

  private static boolean isObject(String text) {
    try {
      return JSON.readTree(text).isObject();
    } catch (JacksonException e) {
      return false;
    }
  }
}
