package mesh.inference;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import mesh.inference.Trouble.Kind;
import mesh.outbound.DestinationRefused;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** Reads what both vendors' libraries throw. */
final class Troubles {

  private final Connection connection;
  private final InstantSource clock;

  Troubles(Connection connection, InstantSource clock) {
    this.connection = connection;
    this.clock = clock;
  }

  /** A library could not read what came. */
  Trouble garbled(String what) {
    return Trouble.of(Kind.GARBLED, connection, what);
  }

  Trouble cut() {
    return Trouble.of(Kind.CUT, connection, "It broke off in the middle of a reply.");
  }

  /** What a library threw for another reason than an answer: the transport's own is inside. */
  Trouble unanswered(Throwable thrown) {
    for (var cause = thrown; cause != null; cause = cause.getCause()) {
      // The older Jackson's are exceptions of input and output too.
      if (cause instanceof JsonProcessingException) {
        return garbled("It sent an event that is no JSON.");
      }
      if (cause instanceof IOException e) {
        return of(e);
      }
    }
    return garbled("It said what its protocol does not know (%s).".formatted(kind(thrown)));
  }

  private Trouble of(IOException e) {
    return switch (e) {
      case DestinationRefused refused -> Trouble.of(Kind.NOT_ASKED, connection, refused.sentence());
      case Transport.UnusableKey key ->
          Trouble.of(Kind.NOT_ASKED, connection, String.valueOf(key.getMessage()));
      case Transport.NoStream answer ->
          garbled(
              "It answered with %s where its protocol has an event stream: look at the base URL."
                  .formatted(answer.getMessage()));
      case BoundedBody.TooLarge large -> garbled("It broke off since " + large.getMessage() + ".");
      case UnknownHostException _ ->
          unreachable("The name %s is not known.".formatted(connection.baseUrl().getHost()));
      case ConnectException _ -> unreachable("It refuses connections, or is not there.");
      case NoRouteToHostException _ -> unreachable("There is no way to it.");
      case SSLException _ ->
          unreachable("No encrypted connection came about: look at its certificate.");
      case SocketTimeoutException _ ->
          Trouble.of(Kind.SILENT, connection, "It was silent too long.");
      case InterruptedIOException _ ->
          Trouble.of(Kind.SILENT, connection, "It did not end its reply in time.");
      default -> cut();
    };
  }

  private Trouble unreachable(String why) {
    return Trouble.of(Kind.UNREACHABLE, connection, why);
  }

  private static String kind(Throwable thrown) {
    return thrown.getClass().getSimpleName();
  }

  /**
   * An answer that is an error.
   *
   * @param body as the service sent it; either vendor's form, or any other
   * @param headers of the answer, by name
   */
  Trouble answered(int status, JsonNode body, Function<String, List<String>> headers) {
    var error = error(body);
    return Trouble.answered(
        connection,
        status,
        words(error),
        error.path("param").asString(""),
        message(error, body),
        after(headers),
        again(headers));
  }

  /** The same in the middle of a stream, where the status was 200. */
  Trouble streamed(JsonNode body) {
    var error = error(body);
    return Trouble.answered(
        connection,
        status(error),
        words(error),
        error.path("param").asString(""),
        message(error, body),
        null,
        null);
  }

  private static int status(JsonNode error) {
    var number = error.path("code").asInt(0);
    if (number >= 400 && number < 600) {
      return number;
    }
    var words = words(error);
    if (words.contains("overloaded")) {
      return 529;
    }
    if (words.contains("rate_limit") || words.contains("insufficient_quota")) {
      return 429;
    }
    if (words.contains("invalid_request") || words.contains("context_length")) {
      return 400;
    }
    if (words.contains("authentication")) {
      return 401;
    }
    if (words.contains("billing")) {
      return 402;
    }
    if (words.contains("permission")) {
      return 403;
    }
    if (words.contains("not_found")) {
      return 404;
    }
    return words.contains("too_large") ? 413 : 500;
  }

  private static JsonNode error(JsonNode body) {
    // Some services answer with a list that has one error in it.
    var whole = body.isArray() && !body.isEmpty() ? body.get(0) : body;
    return whole.path("error").isObject() ? whole.path("error") : whole;
  }

  private static String words(JsonNode error) {
    return (error.path("code").asString("") + " " + error.path("type").asString("")).strip();
  }

  private static String message(JsonNode error, JsonNode body) {
    for (var field : List.of("message", "detail", "error")) {
      var value = error.path(field);
      if (value.isString() && !value.asString().isBlank()) {
        return value.asString();
      }
    }
    return body.isMissingNode() || body.isNull() ? "" : body.toString();
  }

  private static @Nullable Boolean again(Function<String, List<String>> headers) {
    return switch (first(headers, "x-should-retry")) {
      case "true" -> true;
      case "false" -> false;
      default -> null;
    };
  }

  private @Nullable Duration after(Function<String, List<String>> headers) {
    var millis = number(first(headers, "retry-after-ms"));
    if (millis != null) {
      return Duration.ofMillis(Math.round(Math.clamp(millis, 0, 1e9)));
    }
    var text = first(headers, "retry-after");
    var seconds = number(text);
    if (seconds != null) {
      return Duration.ofMillis(Math.round(Math.clamp(seconds, 0, 1e6) * 1000));
    }
    try {
      var until = ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
      var rest = Duration.between(clock.instant(), until);
      return rest.isNegative() ? Duration.ZERO : rest;
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static String first(Function<String, List<String>> headers, String name) {
    return headers.apply(name).stream().findFirst().map(String::strip).orElse("");
  }

  private static @Nullable Double number(String text) {
    try {
      var number = Double.parseDouble(text);
      return Double.isNaN(number) ? null : number;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** What a library's own JSON says; nothing if it is none. */
  static JsonNode read(String json) {
    try {
      return Arguments.JSON.readTree(json);
    } catch (JacksonException e) {
      return MissingNode.getInstance();
    }
  }
}
