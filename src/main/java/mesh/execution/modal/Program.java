package mesh.execution.modal;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import mesh.execution.OutputSink.Channel;
import modal.router.TaskExecPollRequest;
import modal.router.TaskExecPollResponse.ExitStatusCase;
import modal.router.TaskExecStdinWriteRequest;
import modal.router.TaskExecStdioFileDescriptor;
import modal.router.TaskExecStdioReadRequest;
import modal.router.TaskExecWaitRequest;

/**
 * One program that was started in a sandbox, as its worker knows it.
 *
 * <p>All methods throw {@link StatusRuntimeException} where a call fails.
 *
 * @param id chosen by us
 */
record Program(Routers routers, String sandbox, String id) {

  /** Takes output as it comes. */
  @FunctionalInterface
  interface Taker {
    void take(ByteString bytes) throws InterruptedException;
  }

  /**
   * Reads a stream to its end. One message is asked for when the one before was taken, so a slow
   * taker holds the program back.
   */
  void read(Channel channel, OffsetOf offset, Taker taker) throws InterruptedException {
    var request =
        TaskExecStdioReadRequest.newBuilder().setExecId(id).setFileDescriptor(file(channel));
    routers.use(
        sandbox,
        (stub, task) -> {
          var answers =
              stub.taskExecStdioRead(request.setTaskId(task).setOffset(offset.now()).build());
          while (answers.hasNext()) {
            taker.take(answers.next().getData());
          }
          return true;
        });
  }

  /** How much of a stream was taken. */
  @FunctionalInterface
  interface OffsetOf {
    long now();
  }

  private static TaskExecStdioFileDescriptor file(Channel channel) {
    return switch (channel) {
      case STDOUT -> TaskExecStdioFileDescriptor.TASK_EXEC_STDIO_FILE_DESCRIPTOR_STDOUT;
      case STDERR -> TaskExecStdioFileDescriptor.TASK_EXEC_STDIO_FILE_DESCRIPTOR_STDERR;
    };
  }

  /**
   * Returns when the program, or the pipe to it, has taken it. What came before is dropped there.
   */
  void write(long offset, ByteString bytes, boolean isLast) throws InterruptedException {
    var request =
        TaskExecStdinWriteRequest.newBuilder()
            .setExecId(id)
            .setOffset(offset)
            .setData(bytes)
            .setEof(isLast);
    routers.use(sandbox, (stub, task) -> stub.taskExecStdinWrite(request.setTaskId(task).build()));
  }

  boolean hasExited(Duration limit) throws InterruptedException {
    var request = TaskExecPollRequest.newBuilder().setExecId(id);
    var answer =
        routers.use(
            sandbox,
            (stub, task) ->
                stub.withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS)
                    .taskExecPoll(request.setTaskId(task).build()));
    return answer.getExitStatusCase() != ExitStatusCase.EXITSTATUS_NOT_SET;
  }

  void awaitExit(Duration limit) throws InterruptedException {
    var request = TaskExecWaitRequest.newBuilder().setExecId(id);
    routers.use(
        sandbox,
        (stub, task) ->
            stub.withDeadlineAfter(limit.toMillis(), TimeUnit.MILLISECONDS)
                .taskExecWait(request.setTaskId(task).build()));
  }
}
