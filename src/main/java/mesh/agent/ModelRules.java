package mesh.agent;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** What an agent's model may be. The modules that know models and connections answer. */
public interface ModelRules {

  /**
   * What is wrong with a model first; empty if nothing is. Asked within the transaction that saves
   * it, and the answer must hold until that ends: a connection is not deleted meanwhile.
   *
   * @param model an object
   */
  Optional<Objection> objection(JsonNode model);

  /**
   * @param pointer JSON Pointer within the model; empty for all of it
   * @param sentence what is wrong and what to do
   */
  record Objection(String pointer, String sentence) {}
}
