package mesh.secret;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * A text that must not be seen. It can be read from JSON, as in a request, and can become text
 * again only by {@link #reveal}: it prints as {@code [secret]} and can be neither serialized nor
 * written as JSON.
 */
@JsonSerialize(using = Secret.Refusal.class)
public final class Secret {

  private final byte[] text;

  private Secret(byte[] text) {
    this.text = text;
  }

  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static Secret of(String text) {
    return new Secret(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The text itself: for the one place that needs it, never for a log, a message or a record. */
  public String reveal() {
    return new String(text, StandardCharsets.UTF_8);
  }

  /** Takes as long whichever byte differs. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && MessageDigest.isEqual(text, secret.text);
  }

  /** The same for all, since a hash tells of what is hashed. */
  @Override
  public int hashCode() {
    return 0;
  }

  @Override
  public String toString() {
    return "[secret]";
  }

  static final class Refusal extends ValueSerializer<Secret> {

    @Override
    public void serialize(Secret secret, JsonGenerator json, SerializationContext context) {
      context.reportMappingProblem("a secret is never written as JSON");
    }
  }
}
