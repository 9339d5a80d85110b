package mesh.harness;

import java.time.Duration;
import tools.jackson.databind.JsonNode;

/**
 * What an agent's model configuration says to the loop: what every run is told, and when one is to
 * stop.
 *
 * @param instructions put before every task; may be empty
 * @param maxSteps tool calls of one run
 * @param maxTokens of one run, read and said, with those of the runs that it spawns
 * @param maxTime of one run, without what it waited for people
 */
record LoopTerms(String instructions, int maxSteps, long maxTokens, Duration maxTime) {

  private static final int STEPS = 200;
  private static final long TOKENS = 5_000_000;
  private static final long SECONDS = 6 * 3600;

  static LoopTerms of(JsonNode model) {
    return new LoopTerms(
        model.path("instructions").asString(""),
        model.path("max_steps").asInt(STEPS),
        model.path("max_tokens").asLong(TOKENS),
        Duration.ofSeconds(model.path("max_seconds").asLong(SECONDS)));
  }
}
