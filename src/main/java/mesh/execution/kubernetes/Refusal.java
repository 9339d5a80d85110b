package mesh.execution.kubernetes;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import mesh.execution.BackendException;
import org.jspecify.annotations.Nullable;

/** Says who can help with what the cluster answered, which was no success. */
final class Refusal {

  private static final int MOST_WORDS = 500;

  private Refusal() {}

  /**
   * @param cleaned takes our credential out of the cluster's words
   */
  static BackendException of(KubernetesClientException failure, UnaryOperator<String> cleaned) {
    if (failure.getCode() <= 0) {
      return causes(failure).anyMatch(IOException.class::isInstance)
          ? unreachable(failure)
          // Without the cause, which quotes what came.
          : new BackendException.Unexpected(
              "Kubernetes answered something that cannot be read", null);
    }
    var status = failure.getStatus();
    return of(failure.getCode(), cleaned.apply(words(status)), wait(status));
  }

  /**
   * @param words the cluster's own; may be empty
   * @param wait how long it asks us to wait; zero if it does not say
   */
  static BackendException of(int code, String words, Duration wait) {
    var message = "Kubernetes answered " + code + (words.isEmpty() ? "" : ": " + words);
    return switch (code) {
      case 400, 401, 402, 403, 404, 405, 409, 413, 415, 422 ->
          new BackendException.Rejected(message, null);
      case 408, 410, 423, 425, 429 -> new BackendException.Unavailable(message, wait, null);
      default ->
          code >= 500
              ? new BackendException.Unavailable(message, wait, null)
              : new BackendException.Unexpected(message, null);
    };
  }

  static BackendException.Unavailable unreachable(Throwable trouble) {
    var root = causes(trouble).reduce(trouble, (_, deeper) -> deeper);
    return new BackendException.Unavailable(
        "Kubernetes could not be reached: " + root.getClass().getSimpleName(), Duration.ZERO, root);
  }

  private static Stream<Throwable> causes(Throwable trouble) {
    return Stream.iterate(trouble, Objects::nonNull, Throwable::getCause);
  }

  private static String words(@Nullable Status status) {
    return status == null ? "" : line(status.getMessage());
  }

  /** Some words on one line, not too many. */
  static String line(@Nullable String words) {
    var line = (words == null ? "" : words).replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    return line.length() <= MOST_WORDS ? line : line.substring(0, MOST_WORDS) + "…";
  }

  private static Duration wait(@Nullable Status status) {
    var details = status == null ? null : status.getDetails();
    var seconds = details == null ? null : details.getRetryAfterSeconds();
    return seconds == null || seconds < 0 ? Duration.ZERO : Duration.ofSeconds(seconds);
  }
}
