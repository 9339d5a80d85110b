package mesh.simulator.modal;

import com.google.protobuf.ByteString;
import com.google.protobuf.Empty;
import java.io.IOException;
import modal.router.TaskMountDirectoryRequest;
import modal.router.TaskSnapshotDirectoryRequest;
import modal.router.TaskSnapshotDirectoryResponse;
import modal.router.TaskSnapshotFilesystemRequest;
import modal.router.TaskSnapshotFilesystemResponse;
import modal.router.TaskUnmountDirectoryRequest;

/** Taking images of a container's files and mounting them. */
final class SnapshotCalls {

  private final Snapshots snapshots;

  SnapshotCalls(Snapshots snapshots) {
    this.snapshots = snapshots;
  }

  TaskSnapshotFilesystemResponse take(Container container, TaskSnapshotFilesystemRequest request)
      throws IOException, InterruptedException {
    if (!request.hasTtlSeconds()) {
      throw Refusal.invalid("ttl_seconds is required");
    }
    checkTtl(request.getTtlSeconds());
    return TaskSnapshotFilesystemResponse.newBuilder()
        .setImageId(snapshots.files(container, request.getSnapshotId()))
        .build();
  }

  TaskSnapshotDirectoryResponse take(Container container, TaskSnapshotDirectoryRequest request)
      throws IOException, InterruptedException {
    if (request.hasTtlSeconds()) {
      checkTtl(request.getTtlSeconds());
    }
    var path = absolute(request.getPath());
    return TaskSnapshotDirectoryResponse.newBuilder()
        .setImageId(snapshots.directory(container, path, request.getSnapshotId()))
        .build();
  }

  Empty mount(Container container, TaskMountDirectoryRequest request)
      throws IOException, InterruptedException {
    snapshots.mount(container, absolute(request.getPath()), request.getImageId());
    return Empty.getDefaultInstance();
  }

  Empty unmount(Container container, TaskUnmountDirectoryRequest request)
      throws IOException, InterruptedException {
    snapshots.unmount(container, absolute(request.getPath()));
    return Empty.getDefaultInstance();
  }

  private static void checkTtl(long seconds) {
    if (seconds < 1 && seconds != -1) {
      throw Refusal.invalid("ttl_seconds must be positive, or -1 for ever");
    }
  }

  private static String absolute(ByteString path) {
    var text = path.toStringUtf8();
    if (!text.startsWith("/")) {
      throw Refusal.invalid("the path must be absolute: " + text);
    }
    return text;
  }
}
