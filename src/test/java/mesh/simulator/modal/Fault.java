package mesh.simulator.modal;

import io.grpc.Status;
import java.time.Duration;

/** One way a call goes wrong. */
public sealed interface Fault {

  /** Answers this and does nothing. */
  record Refuse(Status status) implements Fault {}

  /** Answers RESOURCE_EXHAUSTED and when to try again, and does nothing. */
  record Throttle(Duration retryAfter) implements Fault {}

  /** The call takes effect, then it fails with this instead of its answer. */
  record LostAnswer(Status status) implements Fault {}

  /** Works, but only after a while. */
  record Slow(Duration delay) implements Fault {}

  /** Never answers and has no effect; the connection stays. */
  record Hang() implements Fault {}

  /** Takes effect, and never answers; the connection stays. */
  record Silent() implements Fault {}

  /** Fails now; the call takes effect later all the same. Not for streams of requests. */
  record LateEffect(Status status, Duration delay) implements Fault {}

  /**
   * A stream of a command's output fails with this once so many bytes of it were sent in this call.
   * Other calls go on as if nothing were the matter.
   */
  record CutAfter(long bytes, Status status) implements Fault {
    public CutAfter {
      if (bytes < 1) {
        throw new IllegalArgumentException("nothing at all is another fault");
      }
    }
  }

  /** Refused as by a server that is about to restart. */
  static Fault unavailable() {
    return new Refuse(Status.UNAVAILABLE.withDescription("simulated"));
  }
}
