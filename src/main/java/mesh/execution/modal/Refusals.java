package mesh.execution.modal;

import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import mesh.execution.BackendException;
import modal.client.RPCRetryPolicy;

/** Says who can help with a call that failed. */
final class Refusals {

  private static final int MOST_WORDS = 300;
  private static final String POLICY = "/" + RPCRetryPolicy.getDescriptor().getFullName();

  /** Longer than anybody waits. */
  private static final float MOST_SECONDS = 86_400;

  private final Account account;

  Refusals(Account account) {
    this.account = account;
  }

  /** Without the cause where the vendor answered: its words may quote what was sent. */
  BackendException of(StatusRuntimeException failed) {
    var status = failed.getStatus();
    var asked = patience(failed);
    if (asked.isPresent()) {
      // Whatever it calls it, it means to be asked again.
      return new BackendException.Unavailable(said(status), asked.get(), null);
    }
    return switch (status.getCode()) {
      case UNAUTHENTICATED, PERMISSION_DENIED, INVALID_ARGUMENT, RESOURCE_EXHAUSTED ->
          new BackendException.Rejected(said(status), null);
      case NOT_FOUND -> new BackendException.SandboxGone(said(status));
      case UNAVAILABLE, CANCELLED, INTERNAL, UNKNOWN, ABORTED -> unavailable(status);
      case DEADLINE_EXCEEDED ->
          new BackendException.Unavailable(
              "Modal did not answer in time", Duration.ZERO, status.getCause());
      case OK, ALREADY_EXISTS, FAILED_PRECONDITION, OUT_OF_RANGE, UNIMPLEMENTED, DATA_LOSS ->
          new BackendException.Unexpected(said(status), null);
    };
  }

  private BackendException unavailable(Status status) {
    return status.getCause() instanceof IOException cause
        ? new BackendException.Unavailable(
            "Modal could not be reached: " + cause.getClass().getSimpleName(), Duration.ZERO, cause)
        : new BackendException.Unavailable(said(status), Duration.ZERO, null);
  }

  /** What the vendor answered, in its own words on one line. */
  private String said(Status status) {
    var words = status.getDescription();
    return "Modal answered " + status.getCode() + (words == null ? "" : ": " + cleaned(words));
  }

  String cleaned(String words) {
    var line = account.cleaned(words).replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    return line.substring(0, Math.min(line.length(), MOST_WORDS));
  }

  /** How long the vendor asks us to wait, if it does; with any code. */
  private static Optional<Duration> patience(StatusRuntimeException failed) {
    var details = StatusProto.fromThrowable(failed);
    if (details == null) {
      return Optional.empty();
    }
    return details.getDetailsList().stream()
        .filter(detail -> detail.getTypeUrl().endsWith(POLICY))
        .findFirst()
        .map(detail -> {
          try {
            float seconds = RPCRetryPolicy.parseFrom(detail.getValue()).getRetryAfterSecs();
            float least = seconds > 0 ? Math.min(seconds, MOST_SECONDS) : 0;
            return Duration.ofMillis((long) Math.ceil(least * 1000.0));
          } catch (InvalidProtocolBufferException unreadable) {
            return Duration.ZERO;
          }
        });
  }
}
