package mesh.settings;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import mesh.agent.ModelRules;
import mesh.inference.ModelChoice;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** What an agent's model may be: a model of a connection, a script, or nothing. */
@Component
class AgentModelRules implements ModelRules {

  private static final int LONGEST_INSTRUCTIONS = 32_000;

  private static final Map<String, Range> RANGES = ranges();

  private static final Set<String> FIELDS =
      Set.of(
          "connection",
          "model",
          "instructions",
          "context_tokens",
          "reply_tokens",
          "temperature",
          "max_steps",
          "max_tokens",
          "max_seconds");

  private final ModelRepository rows;

  AgentModelRules(ModelRepository rows) {
    this.rows = rows;
  }

  @Override
  public Optional<Objection> objection(JsonNode model) {
    if (model.isEmpty()) {
      return Optional.empty();
    }
    boolean scripted = model.path("kind").asString("").equals("scripted");
    return (scripted ? Optional.<Objection>empty() : unknownField(model))
        .or(() -> range(model))
        .or(() -> instructions(model))
        .or(() -> scripted ? Optional.empty() : connection(model))
        .or(() -> choice(model));
  }

  private static Optional<Objection> unknownField(JsonNode model) {
    if (model.has("kind")) {
      return objection(
          "/kind",
          "There is one kind of model, 'scripted': leave kind out, and name a connection.");
    }
    return model.propertyNames().stream()
        .filter(name -> !FIELDS.contains(name))
        .findFirst()
        .flatMap(name ->
            objection(
                "/" + name.replace("~", "~0").replace("/", "~1"),
                "A model has no field of that name; it has connection, model, instructions, context_tokens, reply_tokens, temperature, max_steps, max_tokens and max_seconds."));
  }

  private static Optional<Objection> range(JsonNode model) {
    for (var limit : RANGES.entrySet()) {
      var value = model.path(limit.getKey());
      var range = limit.getValue();
      boolean told = !value.isMissingNode() && !value.isNull();
      if (told && !(value.isIntegralNumber() && range.holds(value))) {
        return objection(
            "/" + limit.getKey(),
            "Field %s must be a whole number from %,d to %,d."
                .formatted(limit.getKey(), range.least(), range.most()));
      }
    }
    return Optional.empty();
  }

  private static Optional<Objection> instructions(JsonNode model) {
    var value = model.path("instructions");
    if (value.isMissingNode() || value.isNull()) {
      return Optional.empty();
    }
    if (!value.isString()
        || value.stringValue().length() > LONGEST_INSTRUCTIONS
        || value.stringValue().indexOf('\0') >= 0) {
      return objection(
          "/instructions", "Write instructions with at most 32,000 characters and no NUL.");
    }
    return Optional.empty();
  }

  private Optional<Objection> connection(JsonNode model) {
    var name = model.path("connection");
    if (!name.isString() || !rows.hold(name.stringValue())) {
      return objection(
          "/connection",
          "There is no connection of that name: choose one of those under Settings, Models, or make it there.");
    }
    if (!model.path("model").isString() || model.path("model").stringValue().isBlank()) {
      return objection("/model", "Name the model as its service does.");
    }
    return Optional.empty();
  }

  /** What the clients of models ask for beyond that. */
  private static Optional<Objection> choice(JsonNode model) {
    try {
      var _ = ModelChoice.of(model);
      return Optional.empty();
    } catch (IllegalArgumentException wrong) {
      return objection("", String.valueOf(wrong.getMessage()));
    }
  }

  private static Optional<Objection> objection(String pointer, String sentence) {
    return Optional.of(new Objection(pointer, sentence));
  }

  private static Map<String, Range> ranges() {
    var ranges = new LinkedHashMap<String, Range>();
    ranges.put("max_steps", new Range(1, 10_000));
    ranges.put("max_tokens", new Range(1_000, 1_000_000_000));
    ranges.put("max_seconds", new Range(1, 604_800));
    ranges.put("context_tokens", new Range(1_000, 100_000_000));
    ranges.put("reply_tokens", new Range(1, 10_000_000));
    return ranges;
  }

  private record Range(long least, long most) {

    boolean holds(JsonNode value) {
      return value.canConvertToLong() && value.longValue() >= least && value.longValue() <= most;
    }
  }
}
