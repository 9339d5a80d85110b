package mesh.inference;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Which model an agent's configuration chooses. Fields it does not know are not its matter. */
public sealed interface ModelChoice {

  /** What is assumed where a configuration does not say: most models of today have more. */
  int CONTEXT_TOKENS = 128_000;

  int REPLY_TOKENS = 8_192;

  /** {@code {"kind":"scripted",…}}: no service is asked. */
  record Scripted(JsonNode script) implements ModelChoice {

    public Scripted {
      var _ = ScriptedModel.of(script);
    }
  }

  /**
   * {@code {"connection":"main","model":"…","context_tokens":200000,"reply_tokens":8192,
   * "temperature":0.2}}; all but the first two may be left out.
   *
   * @param connection by name; whether there is one shows when it is used
   * @param temperature from 0 to 2; null leaves it to the service
   */
  record Remote(String connection, String model, Model.Window window, @Nullable Double temperature)
      implements ModelChoice {}

  /**
   * Reads and checks a configuration.
   *
   * @throws IllegalArgumentException with a sentence that says what to change
   */
  static ModelChoice of(JsonNode configuration) {
    var kind = configuration.path("kind").asString("");
    if (kind.equals("scripted")) {
      return new Scripted(configuration);
    }
    if (!kind.isEmpty()) {
      throw new IllegalArgumentException("There is no kind of model named '" + kind + "'.");
    }
    var connection = name(configuration, "connection");
    var model = name(configuration, "model");
    if (connection.isEmpty() && model.isEmpty()) {
      throw new IllegalArgumentException(
          "The agent has no model: set one, or start the run with mode 'external' and drive it yourself.");
    }
    if (connection.isEmpty()) {
      throw new IllegalArgumentException(
          "The model '%s' needs a connection: name one of those under Settings → Models."
              .formatted(model));
    }
    if (model.isEmpty()) {
      throw new IllegalArgumentException(
          "The connection '%s' needs a model: name one as its service does.".formatted(connection));
    }
    return new Remote(connection, model, window(configuration), temperature(configuration));
  }

  private static String name(JsonNode configuration, String field) {
    var value = configuration.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return "";
    }
    if (!value.isString() || value.asString().strip().length() > 200) {
      throw new IllegalArgumentException(
          "'%s' must be a text of at most 200 characters.".formatted(field));
    }
    return value.asString().strip();
  }

  private static Model.Window window(JsonNode configuration) {
    var context = tokens(configuration, "context_tokens", CONTEXT_TOKENS);
    var reply = tokens(configuration, "reply_tokens", REPLY_TOKENS);
    if (context <= reply) {
      throw new IllegalArgumentException(
          "A context of %d tokens has no room for a reply of %d: make context_tokens larger or reply_tokens smaller."
              .formatted(context, reply));
    }
    return new Model.Window(context, reply);
  }

  private static int tokens(JsonNode configuration, String field, int otherwise) {
    var value = configuration.path(field);
    if (value.isMissingNode() || value.isNull()) {
      return otherwise;
    }
    if (!value.isIntegralNumber() || !value.canConvertToInt() || value.asInt() < 1) {
      throw new IllegalArgumentException(
          "'%s' must be a whole number of tokens, 1 or more.".formatted(field));
    }
    return value.asInt();
  }

  private static @Nullable Double temperature(JsonNode configuration) {
    var value = configuration.path("temperature");
    if (value.isMissingNode() || value.isNull()) {
      return null;
    }
    if (!value.isNumber() || value.asDouble() < 0 || value.asDouble() > 2) {
      throw new IllegalArgumentException("'temperature' must be a number from 0 to 2.");
    }
    return value.asDouble();
  }
}
