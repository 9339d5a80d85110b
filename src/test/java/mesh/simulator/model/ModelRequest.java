package mesh.simulator.model;

import tools.jackson.databind.JsonNode;

/**
 * A request as it came.
 *
 * @param key what it was authorized with; empty if with nothing
 */
public record ModelRequest(Dialogue dialogue, String key, JsonNode body) {

  /** How often the model was answered with results: 0 in the first request of a conversation. */
  public int rounds() {
    int rounds = 0;
    for (var message : body.path("messages")) {
      rounds += message.path("role").asString("").equals("assistant") ? 1 : 0;
    }
    return rounds;
  }
}
