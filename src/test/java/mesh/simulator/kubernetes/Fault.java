package mesh.simulator.kubernetes;

import java.time.Duration;
import java.util.Map;

/**
 * One way a call goes wrong. Those from {@link CutAfter} on concern {@link CallKind#EXEC}, {@link
 * StaleList} concerns lists, {@link WatchExpired} and {@link WatchCut} concern watches; other calls
 * go on as if nothing were the matter.
 */
public sealed interface Fault {

  /** Answers this and does nothing; an exec is refused its upgrade with it. */
  record Answer(int status, Map<String, String> headers, String body) implements Fault {
    public Answer {
      headers = Map.copyOf(headers);
    }
  }

  /** The call takes effect and is answered this all the same. Not for exec. */
  record AnswerAfter(Answer answer) implements Fault {}

  /** Works, but only after a while. */
  record Slow(Duration delay) implements Fault {}

  /** Never answers and has no effect; the connection stays open. */
  record Hang() implements Fault {}

  /** The connection drops and the call has no effect. */
  record DroppedBefore() implements Fault {}

  /** The call takes effect, then the connection drops instead of an answer. */
  record LostResponse() implements Fault {}

  /** Answers 504 now; the call takes effect later all the same. Not for exec. */
  record LateEffect(Duration delay) implements Fault {}

  /** The list as it was a while ago. */
  record StaleList(Duration age) implements Fault {}

  /** The watch begins, and all it says is that its version is too old: 410. */
  record WatchExpired() implements Fault {}

  /** The watch ends, without a word, after this many events. */
  record WatchCut(int events) implements Fault {}

  /** The connection drops once this many bytes of output were sent; the command runs on. */
  record CutAfter(long bytes) implements Fault {}

  /** The command runs and its output arrives, then the socket closes and no status was sent. */
  record NoStatus(boolean withCloseFrame) implements Fault {}

  /** The last bytes of standard output never arrive; the status does. */
  record LostTail(int bytes) implements Fault {}

  /** The status comes this long after the output. */
  record LateStatus(Duration delay) implements Fault {}

  /** The command runs, and not one frame is ever sent about it, not even a pong. */
  record HalfOpen() implements Fault {}

  /** The connection drops when nothing was sent in either direction for so long. */
  record IdleCut(Duration idle) implements Fault {}

  /** As a node answers that does not know the container yet. */
  record ContainerNotFound() implements Fault {}

  /** An error as the API words it. */
  static Answer status(int code) {
    var reason =
        switch (code) {
          case 401 -> "Unauthorized";
          case 403 -> "Forbidden";
          case 404 -> "NotFound";
          case 409 -> "Conflict";
          case 410 -> "Expired";
          case 429 -> "TooManyRequests";
          case 503 -> "ServiceUnavailable";
          case 504 -> "Timeout";
          default -> "InternalError";
        };
    var refusal = Refusal.of(code, reason, "simulated failure " + code);
    return new Answer(code, Map.of(), Json.write(refusal.status()));
  }

  /** 429 as the API's own fairness answers it. */
  static Answer rateLimited(Duration retryAfter) {
    var refusal = Refusal.of(429, "TooManyRequests", "Too many requests, please try again later.");
    return new Answer(
        429,
        Map.of("Retry-After", Long.toString(retryAfter.toSeconds())),
        Json.write(refusal.status()));
  }

  static Fault slow(Duration delay) {
    return new Slow(delay);
  }
}
