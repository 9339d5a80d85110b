package mesh.simulator.modal;

import com.google.protobuf.Any;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import modal.client.RPCRetryPolicy;

/** How the vendor refuses a call. */
final class Refusal {

  private Refusal() {}

  static StatusRuntimeException invalid(String message) {
    return Status.INVALID_ARGUMENT.withDescription(message).asRuntimeException();
  }

  static StatusRuntimeException notFound(String what) {
    return Status.NOT_FOUND.withDescription(what + " not found").asRuntimeException();
  }

  static StatusRuntimeException taken(String message) {
    return Status.ALREADY_EXISTS.withDescription(message).asRuntimeException();
  }

  static StatusRuntimeException precondition(String message) {
    return Status.FAILED_PRECONDITION.withDescription(message).asRuntimeException();
  }

  static StatusRuntimeException unauthenticated(String message) {
    return Status.UNAUTHENTICATED.withDescription(message).asRuntimeException();
  }

  static StatusRuntimeException unimplemented(String message) {
    return Status.UNIMPLEMENTED.withDescription(message).asRuntimeException();
  }

  /** With the detail that tells clients when to try again. */
  static StatusRuntimeException throttled(Duration retryAfter) {
    var policy = RPCRetryPolicy.newBuilder().setRetryAfterSecs(retryAfter.toMillis() / 1000f);
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder()
            .setCode(Status.Code.RESOURCE_EXHAUSTED.value())
            .setMessage("too many requests")
            .addDetails(Any.pack(policy.build()))
            .build());
  }
}
