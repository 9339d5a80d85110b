package mesh.simulator.modal;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import modal.client.NetworkAccess.NetworkAccessType;
import modal.router.SandboxStdinWriteV2Request;
import modal.router.SandboxStdinWriteV2Response;
import modal.router.SandboxStdioFileDescriptor;
import modal.router.SandboxStdioReadV2Request;
import modal.router.SandboxStdioReadV2Response;
import modal.router.SandboxWaitUntilReadyTcrRequest;
import modal.router.SandboxWaitUntilReadyTcrResponse;
import modal.router.TaskCommandRouterGrpc;
import modal.router.TaskExecPollRequest;
import modal.router.TaskExecPollResponse;
import modal.router.TaskExecStartRequest;
import modal.router.TaskExecStartResponse;
import modal.router.TaskExecStdinStatusRequest;
import modal.router.TaskExecStdinStatusResponse;
import modal.router.TaskExecStdinWriteRequest;
import modal.router.TaskExecStdinWriteResponse;
import modal.router.TaskExecStdinWriteStreamRequest;
import modal.router.TaskExecStdinWriteStreamResponse;
import modal.router.TaskExecStdioFileDescriptor;
import modal.router.TaskExecStdioReadRequest;
import modal.router.TaskExecStdioReadResponse;
import modal.router.TaskExecWaitRequest;
import modal.router.TaskExecWaitResponse;
import modal.router.TaskMountDirectoryRequest;
import modal.router.TaskSetNetworkAccessRequest;
import modal.router.TaskSetNetworkAccessResponse;
import modal.router.TaskSnapshotDirectoryRequest;
import modal.router.TaskSnapshotDirectoryResponse;
import modal.router.TaskSnapshotFilesystemRequest;
import modal.router.TaskSnapshotFilesystemResponse;
import modal.router.TaskUnmountDirectoryRequest;

/** The service at a worker's address: commands, their streams, and files of one container. */
final class CommandRouter extends TaskCommandRouterGrpc.TaskCommandRouterImplBase {

  private final Sandboxes sandboxes;
  private final Secrets secrets;
  private final SnapshotCalls snapshots;

  CommandRouter(Sandboxes sandboxes, Secrets secrets, SnapshotCalls snapshots) {
    this.sandboxes = sandboxes;
    this.secrets = secrets;
    this.snapshots = snapshots;
  }

  private ModalSandbox sandbox(String task) {
    if (!task.equals(Admission.TASK.get())) {
      throw Status.PERMISSION_DENIED
          .withDescription("the token is for another task")
          .asRuntimeException();
    }
    return sandboxes.ofTask(task);
  }

  private Container container(String task) {
    return sandbox(task).container();
  }

  private Execution execution(String task, String exec) {
    return container(task).execution(exec);
  }

  @Override
  public void taskExecStart(
      TaskExecStartRequest request, StreamObserver<TaskExecStartResponse> answer) {
    Answers.one(
        answer,
        () -> {
          var container = container(request.getTaskId());
          container.exec(request.getExecId(), ExecRequest.of(request, secrets));
          return TaskExecStartResponse.getDefaultInstance();
        });
  }

  @Override
  public void taskExecStdioRead(
      TaskExecStdioReadRequest request, StreamObserver<TaskExecStdioReadResponse> answer) {
    try {
      var execution = execution(request.getTaskId(), request.getExecId());
      var toStderr =
          request.getFileDescriptor()
              == TaskExecStdioFileDescriptor.TASK_EXEC_STDIO_FILE_DESCRIPTOR_STDERR;
      Outflow.start(
          toStderr ? execution.stderr() : execution.stdout(),
          request.getOffset(),
          true,
          answer,
          chunk -> TaskExecStdioReadResponse.newBuilder().setData(bytes(chunk)).build(),
          _ -> Optional.empty());
    } catch (RuntimeException e) {
      Answers.fail(answer, e);
    }
  }

  @Override
  public void sandboxStdioReadV2(
      SandboxStdioReadV2Request request, StreamObserver<SandboxStdioReadV2Response> answer) {
    try {
      var main = container(request.getTaskId()).main();
      var toStderr =
          request.getFileDescriptor()
              == SandboxStdioFileDescriptor.SANDBOX_STDIO_FILE_DESCRIPTOR_STDERR;
      Outflow.start(
          toStderr ? main.stderr() : main.stdout(),
          request.getOffset(),
          false,
          answer,
          chunk ->
              SandboxStdioReadV2Response.newBuilder()
                  .setData(bytes(chunk))
                  .setStartingOffset(chunk.offset())
                  .build(),
          _ -> Optional.empty());
    } catch (RuntimeException e) {
      Answers.fail(answer, e);
    }
  }

  private static ByteString bytes(Spool.Chunk chunk) {
    // A chunk's bytes are never changed.
    return UnsafeByteOperations.unsafeWrap(chunk.bytes());
  }

  @Override
  public void taskExecStdinWrite(
      TaskExecStdinWriteRequest request, StreamObserver<TaskExecStdinWriteResponse> answer) {
    Answers.one(
        answer,
        () -> {
          var stdin = execution(request.getTaskId(), request.getExecId()).stdin();
          write(stdin, request.getOffset(), request.getData(), request.getEof());
          return TaskExecStdinWriteResponse.getDefaultInstance();
        });
  }

  @Override
  public void sandboxStdinWriteV2(
      SandboxStdinWriteV2Request request, StreamObserver<SandboxStdinWriteV2Response> answer) {
    Answers.one(
        answer,
        () -> {
          var container = container(request.getTaskId());
          container.touch();
          write(container.main().stdin(), request.getOffset(), request.getData(), request.getEof());
          return SandboxStdinWriteV2Response.getDefaultInstance();
        });
  }

  private static void write(StandardInput stdin, long offset, ByteString data, boolean eof) {
    stdin.write(offset, data.toByteArray());
    if (eof) {
      stdin.close();
    }
  }

  @Override
  public StreamObserver<TaskExecStdinWriteStreamRequest> taskExecStdinWriteStream(
      StreamObserver<TaskExecStdinWriteStreamResponse> answer) {
    return new StdinStream(
        start -> execution(start.getTaskId(), start.getExecId()).stdin(), answer);
  }

  @Override
  public void taskExecStdinStatus(
      TaskExecStdinStatusRequest request, StreamObserver<TaskExecStdinStatusResponse> answer) {
    Answers.one(
        answer,
        () -> {
          var stdin = execution(request.getTaskId(), request.getExecId()).stdin();
          stdin.evict();
          return TaskExecStdinStatusResponse.newBuilder()
              .setNumBytesWritten(stdin.written())
              .setClosed(stdin.isClosed())
              .build();
        });
  }

  @Override
  public void taskExecWait(
      TaskExecWaitRequest request, StreamObserver<TaskExecWaitResponse> answer) {
    Answers.later(
        answer,
        () ->
            execution(request.getTaskId(), request.getExecId())
                .exit()
                .thenApply(exit -> {
                  var status = TaskExecWaitResponse.newBuilder();
                  switch (exit) {
                    case Exit.Code it -> status.setCode(it.code());
                    case Exit.Signal it -> status.setSignal(it.signal());
                  }
                  return status.build();
                }));
  }

  @Override
  public void taskExecPoll(
      TaskExecPollRequest request, StreamObserver<TaskExecPollResponse> answer) {
    Answers.one(
        answer,
        () -> {
          var status = TaskExecPollResponse.newBuilder();
          var execution = execution(request.getTaskId(), request.getExecId());
          if (!execution.isRunning()) {
            switch (execution.exit().join()) {
              case Exit.Code it -> status.setCode(it.code());
              case Exit.Signal it -> status.setSignal(it.signal());
            }
          }
          return status.build();
        });
  }

  @Override
  public void sandboxWaitUntilReady(
      SandboxWaitUntilReadyTcrRequest request,
      StreamObserver<SandboxWaitUntilReadyTcrResponse> answer) {
    Answers.one(
        answer,
        () -> {
          var sandbox = sandbox(request.getTaskId());
          sandbox.container().namespace();
          return SandboxWaitUntilReadyTcrResponse.newBuilder()
              .setReadyAt(ModalSandbox.seconds(sandbox.createdAt()))
              .build();
        });
  }

  @Override
  public void taskSetNetworkAccess(
      TaskSetNetworkAccessRequest request, StreamObserver<TaskSetNetworkAccessResponse> answer) {
    Answers.one(
        answer,
        () -> {
          var sandbox = sandbox(request.getTaskId());
          sandbox.container().namespace();
          var access = request.getNetworkAccess();
          if (access.getNetworkAccessType() != NetworkAccessType.ALLOWLIST) {
            throw Refusal.invalid("only an allowlist can be set");
          }
          Definitions.check(access);
          sandbox.access(access);
          return TaskSetNetworkAccessResponse.getDefaultInstance();
        });
  }

  @Override
  public void taskSnapshotFilesystem(
      TaskSnapshotFilesystemRequest request,
      StreamObserver<TaskSnapshotFilesystemResponse> answer) {
    Answers.one(answer, () -> snapshots.take(container(request.getTaskId()), request));
  }

  @Override
  public void taskSnapshotDirectory(
      TaskSnapshotDirectoryRequest request, StreamObserver<TaskSnapshotDirectoryResponse> answer) {
    Answers.one(answer, () -> snapshots.take(container(request.getTaskId()), request));
  }

  @Override
  public void taskMountDirectory(TaskMountDirectoryRequest request, StreamObserver<Empty> answer) {
    Answers.one(answer, () -> snapshots.mount(container(request.getTaskId()), request));
  }

  @Override
  public void taskUnmountDirectory(
      TaskUnmountDirectoryRequest request, StreamObserver<Empty> answer) {
    Answers.one(answer, () -> snapshots.unmount(container(request.getTaskId()), request));
  }
}
