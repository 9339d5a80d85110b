package mesh.dashboard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mesh.agent.Agent;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.Field;
import mesh.dashboard.view.FieldError;
import mesh.dashboard.view.ModelBlock;
import mesh.dashboard.view.Option;
import mesh.dashboard.view.SettingInput;
import mesh.dashboard.view.Spoken;
import mesh.settings.ModelConnections;
import mesh.settings.ModelSetting;
import mesh.web.Problem;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The model of an agent as its page shows it, and as its form changes it. */
@Component
class ModelBlocks {

  /** The form, and what its fields begin with. */
  static final String FORM = "model";

  /** In place of a connection: what was set through the API stays. */
  private static final String SCRIPT = "script:";

  private static final Map<String, String> LIMITS = limits();

  private final ModelConnections connections;
  private final JsonMapper json;

  ModelBlocks(ModelConnections connections, JsonMapper json) {
    this.connections = connections;
    this.json = json;
  }

  ModelBlock of(Agent agent, RefusedForm refused) {
    var model = json.readTree(agent.model());
    var names = connections.all().stream().map(ModelSetting::name).toList();
    return new ModelBlock(
        facts(model),
        note(model),
        refused.is(FORM),
        !names.isEmpty(),
        choice(model, names, refused),
        field("model", "Model", "The name that the service knows it by.", model, refused),
        instructions(model, refused),
        LIMITS.entrySet().stream()
            .map(it -> field(it.getKey(), it.getValue(), "", model, refused))
            .toList());
  }

  private static String note(JsonNode model) {
    if (scripted(model)) {
      return "It has a script in place of a model, set through the API.";
    }
    return model.isEmpty()
        ? "It has no model: its runs are driven from outside, through the agents’ API."
        : "";
  }

  private static boolean scripted(JsonNode model) {
    return model.path("kind").asString("").equals("scripted");
  }

  private static List<Fact> facts(JsonNode model) {
    if (!model.path("connection").isString()) {
      return List.of();
    }
    var facts = new ArrayList<Fact>();
    facts.add(new Fact("Connection", text(model, "connection"), "", true));
    facts.add(new Fact("Model", text(model, "model"), "", true));
    if (model.path("max_steps").isNumber()) {
      facts.add(Fact.of("Steps of one run", "at most %,d".formatted(number(model, "max_steps"))));
    }
    if (model.path("max_tokens").isNumber()) {
      facts.add(Fact.of("Tokens of one run", "at most %,d".formatted(number(model, "max_tokens"))));
    }
    if (model.path("max_seconds").isNumber()) {
      facts.add(
          Fact.of(
              "Time of one run",
              "at most " + Spoken.duration(Duration.ofSeconds(number(model, "max_seconds")))));
    }
    return facts;
  }

  private static String text(JsonNode model, String field) {
    return VisibleText.line(model.path(field).asString(""));
  }

  private static long number(JsonNode model, String field) {
    return model.path(field).asLong(0);
  }

  private static SettingInput.Choice choice(
      JsonNode model, List<String> names, RefusedForm refused) {
    var set = scripted(model) ? SCRIPT : model.path("connection").asString("");
    var id = id("connection");
    var chosen = refused.typed(id, set);
    var options = new ArrayList<Option>();
    options.add(new Option("", "None: runs are driven from outside", chosen.isEmpty()));
    if (scripted(model)) {
      options.add(new Option(SCRIPT, "The script that was set", chosen.equals(SCRIPT)));
    }
    names.forEach(it -> options.add(new Option(it, it, it.equals(chosen))));
    return new SettingInput.Choice(
        new Field(
            id,
            "connection",
            "Connection",
            "Where the model is asked. An administrator sets connections up under Settings, Models; their keys never enter a sandbox.",
            "",
            refused.error(id)),
        options);
  }

  /** Letter by letter, since it is sent back: nothing in it may be shown as something else. */
  private static Field instructions(JsonNode model, RefusedForm refused) {
    var id = id("instructions");
    return new Field(
        id,
        "instructions",
        "Instructions",
        "What holds for all its runs: who it is, how it works. At most 32,000 characters.",
        refused.typed().getOrDefault(id, model.path("instructions").asString("")),
        refused.error(id));
  }

  private static Field field(
      String name, String label, String hint, JsonNode model, RefusedForm refused) {
    var id = id(name);
    var value = model.path(name);
    var text = value.isNumber() ? value.toString() : value.asString("");
    return new Field(
        id, name, label, hint, refused.typed(id, VisibleText.line(text)), refused.error(id));
  }

  private static String id(String field) {
    return FORM + "-" + field;
  }

  /**
   * What was sent, as a model. What the form does not know stays.
   *
   * @param before the model there is
   */
  String changed(String before, Map<String, String> sent) {
    var connection = sent.getOrDefault("connection", "");
    if (connection.equals(SCRIPT)) {
      return before;
    }
    if (connection.isEmpty()) {
      return "{}";
    }
    var model =
        json.readTree(before) instanceof ObjectNode known && !scripted(known)
            ? known
            : json.createObjectNode();
    model.put("connection", connection);
    model.put("model", sent.getOrDefault("model", "").strip());
    put(model, "instructions", sent.getOrDefault("instructions", "").replace("\r\n", "\n").strip());
    for (var limit : LIMITS.keySet()) {
      var text = sent.getOrDefault(limit, "").strip().replace(",", "");
      if (text.matches("[0-9]{1,18}")) {
        model.put(limit, Long.parseLong(text));
      } else {
        // Refused as no number, unless it is empty.
        put(model, limit, text);
      }
    }
    return model.toString();
  }

  private static void put(ObjectNode model, String field, String text) {
    if (text.isEmpty()) {
      model.remove(field);
    } else {
      model.put(field, text);
    }
  }

  /**
   * @throws Problem again, if it is none of the form's
   */
  static RefusedForm refused(Problem problem, Map<String, String> sent) {
    var pointer = String.valueOf(problem.extras().get("pointer"));
    if (!problem.code().equals("agent_invalid") || !pointer.startsWith("/model")) {
      throw problem;
    }
    var field = pointer.startsWith("/model/") ? pointer.substring("/model/".length()) : "model";
    boolean drawn =
        LIMITS.containsKey(field) || List.of("connection", "model", "instructions").contains(field);
    var typed = new LinkedHashMap<String, String>();
    List.of("connection", "model", "instructions")
        .forEach(it -> typed.put(id(it), sent.getOrDefault(it, "")));
    LIMITS.keySet().forEach(it -> typed.put(id(it), sent.getOrDefault(it, "")));
    return new RefusedForm(
        FORM,
        typed,
        List.of(new FieldError(id(drawn ? field : "model"), VisibleText.line(problem.sentence()))));
  }

  private static Map<String, String> limits() {
    var limits = new LinkedHashMap<String, String>();
    limits.put("max_steps", "Steps of one run");
    limits.put("max_tokens", "Tokens of one run");
    limits.put("max_seconds", "Seconds of one run");
    limits.put("context_tokens", "Tokens that the model can hold");
    limits.put("reply_tokens", "Tokens of one reply");
    return limits;
  }
}
