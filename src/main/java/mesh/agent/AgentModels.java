package mesh.agent;

import java.util.Optional;
import mesh.web.Problem;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads as much of an agent's model as an agent's row needs; the rest is the rules' matter. */
@Component
class AgentModels {

  private final ModelRules rules;
  private final JsonMapper json;

  AgentModels(ModelRules rules, JsonMapper json) {
    this.rules = rules;
    this.json = json;
  }

  /**
   * @throws Problem 400 {@code agent_invalid} that points at what is wrong
   */
  void demandUsable(String model) {
    var read = read(model);
    if (!read.isObject()) {
      throw invalid("", "The model must be an object.");
    }
    rules
        .objection(read)
        .ifPresent(it -> {
          throw invalid(it.pointer(), it.sentence());
        });
  }

  /** What the model names; empty for one that is asked nowhere. */
  Optional<String> connection(String model) {
    return Optional.of(read(model).path("connection"))
        .filter(JsonNode::isString)
        .map(JsonNode::stringValue);
  }

  private JsonNode read(String model) {
    try {
      return json.readTree(model);
    } catch (JacksonException garbage) {
      throw invalid("", "The model must be an object.");
    }
  }

  private static Problem invalid(String pointer, String sentence) {
    return Problem.badRequest("agent_invalid", sentence).with("pointer", "/model" + pointer);
  }
}
