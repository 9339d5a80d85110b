package mesh.simulator.modal;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import modal.router.SandboxStdioReadV2Response;
import modal.router.TaskExecStdioReadResponse;

/** A call of whose answers only some arrive, and perhaps an error after them. */
final class BrokenCall<Q, A> extends SimpleForwardingServerCall<Q, A> {

  private final Status status;
  private final boolean ends;
  private final boolean output;
  private long left;
  private boolean closed;

  /**
   * @param bytes how much output still arrives; anything but output counts as nothing
   * @param ends whether the client is told of the end, with {@code status}
   */
  BrokenCall(ServerCall<Q, A> call, long bytes, Status status, boolean ends) {
    super(call);
    this.left = bytes;
    this.status = status;
    this.ends = ends;
    this.output = bytes > 0;
  }

  @Override
  public synchronized void sendMessage(A message) {
    if (closed || (!output && left == 0)) {
      return;
    }
    var data = data(message);
    if (data < 0 || data < left) {
      left -= Math.max(0, data);
      super.sendMessage(message);
      return;
    }
    if (left > 0) {
      super.sendMessage(shortened(message, (int) left));
    }
    closed = true;
    super.close(status, new Metadata());
  }

  private static long data(Object message) {
    return switch (message) {
      case TaskExecStdioReadResponse it -> it.getData().size();
      case SandboxStdioReadV2Response it -> it.getData().size();
      default -> -1;
    };
  }

  @SuppressWarnings("unchecked")
  private A shortened(A message, int length) {
    return (A)
        switch (message) {
          case TaskExecStdioReadResponse it ->
              it.toBuilder().setData(it.getData().substring(0, length)).build();
          case SandboxStdioReadV2Response it ->
              it.toBuilder().setData(it.getData().substring(0, length)).build();
          default -> throw new IllegalStateException("no output");
        };
  }

  @Override
  public synchronized void close(Status actual, Metadata trailers) {
    if (closed) {
      return;
    }
    closed = true;
    if (output) {
      super.close(actual, trailers);
    } else if (ends) {
      super.close(status, new Metadata());
    }
  }
}
