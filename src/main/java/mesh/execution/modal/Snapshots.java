package mesh.execution.modal;

import com.google.protobuf.ByteString;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import mesh.execution.BackendException;
import mesh.execution.SandboxPath;
import modal.client.ImageDeleteRequest;
import modal.router.TaskMountDirectoryRequest;
import modal.router.TaskSnapshotDirectoryRequest;
import modal.router.TaskSnapshotDirectoryResponse;

/** Directories as the vendor keeps them: as images, which are mounted over what is there. */
final class Snapshots {

  /** The vendor's own clients allow 55 s, which large repositories have been known to exceed. */
  private static final Duration CAPTURE_LIMIT = Duration.ofMinutes(5);

  private static final Duration MOUNT_LIMIT = Duration.ofMinutes(2);
  private static final Duration DELETE_LIMIT = Duration.ofSeconds(30);

  private final Routers routers;
  private final ControlPlane plane;
  private final long keptSeconds;

  /**
   * @param keptSeconds -1 for until it is deleted
   */
  Snapshots(Routers routers, ControlPlane plane, long keptSeconds) {
    this.routers = routers;
    this.plane = plane;
    this.keptSeconds = keptSeconds;
  }

  /** The image that holds the directory; the same for the same id. */
  String capture(String sandbox, SandboxPath directory, UUID id) throws InterruptedException {
    var request =
        TaskSnapshotDirectoryRequest.newBuilder()
            .setPath(ByteString.copyFromUtf8(directory.value()))
            .setSnapshotId(id.toString())
            .setTtlSeconds(keptSeconds);
    return plane
        .patience()
        .retrying(() -> {
          try {
            return routers
                .<TaskSnapshotDirectoryResponse>use(
                    sandbox,
                    (stub, task) ->
                        stub.withDeadlineAfter(CAPTURE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                            .taskSnapshotDirectory(request.setTaskId(task).build()))
                .getImageId();
          } catch (StatusRuntimeException failed) {
            throw routers.failed(sandbox, failed);
          }
        });
  }

  /** Done twice, after a lost answer, it lies over itself. */
  void mount(String sandbox, String image, SandboxPath directory) throws InterruptedException {
    var request =
        TaskMountDirectoryRequest.newBuilder()
            .setPath(ByteString.copyFromUtf8(directory.value()))
            .setImageId(image);
    plane
        .patience()
        .retrying(() -> {
          try {
            return routers.use(
                sandbox,
                (stub, task) ->
                    stub.withDeadlineAfter(MOUNT_LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                        .taskMountDirectory(request.setTaskId(task).build()));
          } catch (StatusRuntimeException failed) {
            throw unusable(failed, routers.failed(sandbox, failed));
          }
        });
  }

  /** Of a sandbox that is there, what was not found is the image. */
  private BackendException unusable(StatusRuntimeException failed, BackendException meaning) {
    if (meaning instanceof BackendException.SandboxGone) {
      return meaning;
    }
    return switch (Calls.code(failed)) {
      case NOT_FOUND, FAILED_PRECONDITION, INVALID_ARGUMENT ->
          new BackendException.Rejected(
              "Modal does not have the snapshot any more, or cannot use it: "
                  + plane.refusals().cleaned(String.valueOf(failed.getStatus().getDescription())),
              null);
      default -> meaning;
    };
  }

  void delete(String image) throws InterruptedException {
    var request = ImageDeleteRequest.newBuilder().setImageId(image).build();
    try {
      var _ = plane.asking(DELETE_LIMIT, stub -> stub.imageDelete(request));
    } catch (BackendException.SandboxGone notFound) {
      // As it was to be.
    }
  }
}
