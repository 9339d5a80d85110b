package mesh.simulator.modal;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.function.Function;
import modal.router.TaskExecStdinWriteStreamRequest;
import modal.router.TaskExecStdinWriteStreamResponse;
import modal.router.TaskExecStdinWriteStreamStart;
import org.jspecify.annotations.Nullable;

/**
 * Input that comes in one call. One that breaks off without its end leaves the command's standard
 * input open, to be continued.
 */
final class StdinStream implements StreamObserver<TaskExecStdinWriteStreamRequest> {

  private final Function<TaskExecStdinWriteStreamStart, StandardInput> find;
  private final StreamObserver<TaskExecStdinWriteStreamResponse> answer;
  private @Nullable StandardInput stdin;
  private int id;
  private long offset;
  private boolean failed;

  StdinStream(
      Function<TaskExecStdinWriteStreamStart, StandardInput> find,
      StreamObserver<TaskExecStdinWriteStreamResponse> answer) {
    this.find = find;
    this.answer = answer;
  }

  @Override
  public void onNext(TaskExecStdinWriteStreamRequest request) {
    if (failed) {
      return;
    }
    try {
      switch (request.getPayloadCase()) {
        case START -> begin(request.getStart());
        case DATA -> {
          started().write(offset, request.getData().toByteArray());
          offset += request.getData().size();
        }
        case END -> started().close();
        case PAYLOAD_NOT_SET -> throw Refusal.invalid("a payload is required");
      }
    } catch (RuntimeException e) {
      failed = true;
      Answers.fail(answer, e);
    }
  }

  private void begin(TaskExecStdinWriteStreamStart start) {
    var found = find.apply(start);
    id = found.begin(start.getOffset());
    offset = start.getOffset();
    stdin = found;
  }

  private StandardInput started() {
    if (stdin == null) {
      throw Refusal.invalid("the first message must be the start");
    }
    if (!stdin.isCurrent(id)) {
      throw Status.ABORTED.withDescription("another stream was begun").asRuntimeException();
    }
    return stdin;
  }

  @Override
  public void onError(Throwable trouble) {
    // The client may continue elsewhere.
    failed = true;
  }

  @Override
  public void onCompleted() {
    if (!failed) {
      answer.onNext(TaskExecStdinWriteStreamResponse.getDefaultInstance());
      answer.onCompleted();
    }
  }
}
