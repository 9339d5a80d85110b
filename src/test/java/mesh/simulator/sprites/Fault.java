package mesh.simulator.sprites;

import java.time.Duration;
import java.util.Map;

/**
 * One way a call goes wrong. Those from {@link CutAfter} on concern {@link CallKind#EXEC}, {@link
 * StaleList} concerns {@link CallKind#LIST} and {@link SlowDelete} concerns {@link
 * CallKind#DELETE}; other calls go on as if nothing were the matter.
 */
public sealed interface Fault {

  /** Answers this and does nothing; an exec is refused its upgrade with it. */
  record Answer(int status, Map<String, String> headers, String body) implements Fault {
    public Answer {
      headers = Map.copyOf(headers);
    }
  }

  /** Works, but only after a while. */
  record Slow(Duration delay) implements Fault {}

  /** Never answers and has no effect; the connection stays open. */
  record Hang() implements Fault {}

  /** The connection drops and the call has no effect. */
  record DroppedBefore() implements Fault {}

  /** The call takes effect, then the connection drops instead of an answer. */
  record LostResponse() implements Fault {}

  /** Answers 503 now; the call takes effect later all the same. Not for exec. */
  record LateEffect(Duration delay) implements Fault {}

  /** The list as it was a while ago. */
  record StaleList(Duration age) implements Fault {}

  /** Answers 204; the sprite lives on for a while, in every respect. */
  record SlowDelete(Duration delay) implements Fault {}

  /** The connection drops once this many bytes of output were sent; the command runs on. */
  record CutAfter(long bytes) implements Fault {}

  /** The command runs and its output arrives, then the socket closes without an exit frame. */
  record NoExit(boolean withCloseFrame) implements Fault {}

  /** The exit code comes in the text frame alone. */
  record TextExitOnly() implements Fault {}

  /** The exit frame lacks the byte that is the code. */
  record ExitWithoutCode() implements Fault {}

  /**
   * The command has ended before the client is joined: a debug frame says {@code fast_path}, and
   * its output is replayed on channel 1, both streams together, the last 65536 bytes only.
   */
  record FastExit() implements Fault {}

  /** The command runs, and not one frame is ever sent about it, not even a pong. */
  record Silent() implements Fault {}

  /** An error as the control plane words it. */
  static Fault status(int status) {
    return new Answer(status, Map.of(), "{\"error\":\"simulated failure " + status + "\"}");
  }

  /** 429 as the vendor answers too many creations. */
  static Fault rateLimited(Duration retryAfter) {
    var seconds = retryAfter.toSeconds();
    return new Answer(
        429,
        Map.of("Retry-After", Long.toString(seconds)),
        """
        {"error":"sprite_creation_rate_limited","message":"too many sprites were created",\
        "limit":10,"window_seconds":60,"retry_after_seconds":%d,"current_count":10}\
        """
            .formatted(seconds));
  }

  static Fault slow(Duration delay) {
    return new Slow(delay);
  }
}
