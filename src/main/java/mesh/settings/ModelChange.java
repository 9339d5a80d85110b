package mesh.settings;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What an administrator changes about a connection. What is left out stays. Prints no key.
 *
 * @param wire {@code anthropic} or {@code openai}; must be given at first
 * @param baseUrl null as JSON for the wire's own
 * @param key null as JSON clears it
 * @param prices all of them
 */
public record ModelChange(
    @Nullable String wire,
    @Nullable JsonNode baseUrl,
    @Nullable JsonNode key,
    @Nullable Boolean allowPrivate,
    @Nullable JsonNode prices) {

  @Override
  public String toString() {
    return "ModelChange[wire=%s, baseUrl=%s]".formatted(wire, baseUrl);
  }
}
