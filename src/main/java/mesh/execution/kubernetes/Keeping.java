package mesh.execution.kubernetes;

import java.util.UUID;
import mesh.execution.ExternalRef;
import mesh.execution.Sandbox;
import mesh.execution.SandboxPath;
import mesh.execution.SnapshotRef;
import mesh.execution.Snapshotter;

/** A backend class here that keeps snapshots. */
interface Keeping extends PodBackend, Snapshotter {

  Snapshots snapshots();

  @Override
  default SnapshotRef capture(ExternalRef sandbox, SandboxPath directory, UUID id)
      throws InterruptedException {
    return snapshots().capture(sandbox, directory, id);
  }

  @Override
  default Sandbox restore(ExternalRef sandbox, SnapshotRef snapshot, SandboxPath directory)
      throws InterruptedException {
    return snapshots().restore(sandbox, snapshot, directory);
  }

  @Override
  default void delete(SnapshotRef snapshot) throws InterruptedException {
    snapshots().delete(snapshot);
  }
}
