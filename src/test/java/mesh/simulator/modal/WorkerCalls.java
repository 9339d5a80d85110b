package mesh.simulator.modal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import modal.client.FileDescriptor;
import modal.client.SandboxGetCommandRouterAccessRequest;
import modal.client.SandboxGetCommandRouterAccessResponse;
import modal.client.SandboxGetLogsRequest;
import modal.client.SandboxSnapshotFsRequest;
import modal.client.SandboxSnapshotFsResponse;
import modal.client.SandboxStdinWriteRequest;
import modal.client.SandboxStdinWriteResponse;
import modal.client.TaskGetCommandRouterAccessRequest;
import modal.client.TaskGetCommandRouterAccessResponse;
import modal.client.TaskLogs;
import modal.client.TaskLogsBatch;

/** What the control plane itself does with a container, and the way to its worker. */
final class WorkerCalls {

  private final Sandboxes sandboxes;
  private final RouterAccess access;
  private final Snapshots snapshots;
  private final Map<String, Integer> inputs = new ConcurrentHashMap<>();

  WorkerCalls(Sandboxes sandboxes, RouterAccess access, Snapshots snapshots) {
    this.sandboxes = sandboxes;
    this.access = access;
    this.snapshots = snapshots;
  }

  SandboxGetCommandRouterAccessResponse access(SandboxGetCommandRouterAccessRequest request) {
    var sandbox =
        request.hasTaskId()
            ? sandboxes.ofTask(request.getTaskId())
            : sandboxes.find(Generation.V2, request.getSandboxId());
    var answer = access.to(sandbox);
    return SandboxGetCommandRouterAccessResponse.newBuilder()
        .setJwt(answer.getJwt())
        .setUrl(answer.getUrl())
        .build();
  }

  TaskGetCommandRouterAccessResponse access(TaskGetCommandRouterAccessRequest request) {
    var answer = access.to(sandboxes.ofTask(request.getTaskId()));
    return TaskGetCommandRouterAccessResponse.newBuilder()
        .setJwt(answer.getJwt())
        .setUrl(answer.getUrl())
        .build();
  }

  /** Writes are numbered, from 1; one that comes again is dropped. */
  SandboxStdinWriteResponse write(SandboxStdinWriteRequest request) {
    var container = sandboxes.find(Generation.V1, request.getSandboxId()).container();
    container.touch();
    var stdin = container.main().stdin();
    synchronized (stdin) {
      if (request.getIndex() > inputs.getOrDefault(request.getSandboxId(), 0)) {
        stdin.write(stdin.written(), request.getInput().toByteArray());
        inputs.put(request.getSandboxId(), request.getIndex());
      }
      if (request.getEof()) {
        stdin.close();
      }
    }
    return SandboxStdinWriteResponse.getDefaultInstance();
  }

  SandboxSnapshotFsResponse snapshot(SandboxSnapshotFsRequest request)
      throws IOException, InterruptedException {
    var container = sandboxes.find(Generation.V1, request.getSandboxId()).container();
    return SandboxSnapshotFsResponse.newBuilder()
        .setImageId(snapshots.files(container, ""))
        .setResult(Results.success())
        .build();
  }

  /** Entry ids are offsets in the stream. */
  void logs(SandboxGetLogsRequest request, StreamObserver<TaskLogsBatch> answer) {
    try {
      var sandbox = sandboxes.find(Generation.V1, request.getSandboxId());
      var main = sandbox.container().lastMain().orElse(null);
      if (main == null) {
        answer.onNext(TaskLogsBatch.newBuilder().setEof(true).build());
        answer.onCompleted();
        return;
      }
      var toStderr = request.getFileDescriptor() == FileDescriptor.FILE_DESCRIPTOR_STDERR;
      var spool = toStderr ? main.stderr() : main.stdout();
      var last = request.getLastEntryId();
      var offset = last.isEmpty() ? 0 : Long.parseLong(last.substring(0, last.indexOf('-')));
      Outflow.start(
          spool,
          offset,
          false,
          answer,
          chunk ->
              TaskLogsBatch.newBuilder()
                  .setTaskId(sandbox.taskId())
                  .setEntryId(chunk.offset() + chunk.bytes().length + "-0")
                  .addItems(
                      TaskLogs.newBuilder()
                          .setData(new String(chunk.bytes(), UTF_8))
                          .setFileDescriptor(request.getFileDescriptor()))
                  .build(),
          end ->
              Optional.of(TaskLogsBatch.newBuilder().setEntryId(end + "-0").setEof(true).build()));
    } catch (RuntimeException e) {
      Answers.fail(answer, e);
    }
  }
}
