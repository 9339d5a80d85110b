package mesh.inference;

import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Finds the model an agent's configuration names. */
@Component
public class Models {

  /**
   * The model of a configuration such as {@code {"kind":"scripted",…}}.
   *
   * @throws IllegalArgumentException with a sentence if there is no such model
   */
  public Model of(JsonNode configuration) {
    var kind = configuration.path("kind").asString("");
    return switch (kind) {
      case "scripted" -> ScriptedModel.of(configuration);
      case "" ->
          throw new IllegalArgumentException(
              "The agent has no model: set one, or start the run with mode 'external' and drive it yourself.");
      default ->
          throw new IllegalArgumentException("There is no kind of model named '" + kind + "'.");
    };
  }
}
