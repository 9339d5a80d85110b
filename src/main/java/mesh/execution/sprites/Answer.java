package mesh.execution.sprites;

import java.time.Duration;
import java.util.Optional;
import mesh.execution.BackendException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the vendor answered to one request.
 *
 * @param retryAfter the header as it came; empty if there was none
 */
record Answer(int status, String retryAfter, String body) {

  private static final JsonMapper JSON = new JsonMapper();
  private static final int MOST_WORDS = 300;

  boolean isSuccess() {
    return status >= 200 && status < 300;
  }

  /**
   * The body as JSON.
   *
   * @throws BackendException.Unexpected if it is something else
   */
  JsonNode json() {
    try {
      return JSON.readTree(body);
    } catch (JacksonException notJson) {
      // Without the cause, which quotes the body.
      throw new BackendException.Unexpected(
          "Fly Sprites answered something that is not JSON", null);
    }
  }

  /** The exception that says who can help with this answer, which was no success. */
  BackendException refusal(Account account) {
    var said = "Fly Sprites answered " + status + words().map(words -> ": " + words).orElse("");
    var message = account.cleaned(said);
    if (isOfPlan()) {
      return new BackendException.Rejected(message, null);
    }
    return switch (status) {
      case 400, 401, 402, 403, 405, 409, 413, 422 -> new BackendException.Rejected(message, null);
      case 408, 423, 425, 429 -> new BackendException.Unavailable(message, patience(), null);
      default ->
          status >= 500
              ? new BackendException.Unavailable(message, patience(), null)
              : new BackendException.Unexpected(message, null);
    };
  }

  /** Too many sprites at once: waiting does not help, a larger plan or fewer runs do. */
  private boolean isOfPlan() {
    return status == 429 && field("error").equals("concurrent_sprite_limit_exceeded");
  }

  /** How long the vendor asks us to wait; zero if it does not say. */
  private Duration patience() {
    var asked = field("retry_after_seconds");
    return seconds(asked).or(() -> seconds(retryAfter)).orElse(Duration.ZERO);
  }

  private static Optional<Duration> seconds(String text) {
    try {
      var seconds = Double.parseDouble(text.strip());
      return seconds >= 0 && seconds <= 86_400
          ? Optional.of(Duration.ofMillis((long) Math.ceil(seconds * 1000)))
          : Optional.empty();
    } catch (NumberFormatException notSeconds) {
      return Optional.empty();
    }
  }

  /** The vendor's own words on one line; there are three dialects of them, and empty bodies. */
  private Optional<String> words() {
    var error = field("error");
    var message = field("message");
    var words =
        error.isEmpty() || message.isEmpty() || error.equals(message)
            ? error + message.substring(error.equals(message) ? message.length() : 0)
            : error + ": " + message;
    var line = (words.isEmpty() ? body : words).replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    return Optional.of(line.substring(0, Math.min(line.length(), MOST_WORDS)))
        .filter(it -> !it.isEmpty());
  }

  private String field(String name) {
    try {
      return JSON.readTree(body).path(name).asString("");
    } catch (JacksonException plainText) {
      return "";
    }
  }

  /** Without the body, which may quote what was sent. */
  @Override
  public String toString() {
    return "Answer[" + status + "]";
  }
}
