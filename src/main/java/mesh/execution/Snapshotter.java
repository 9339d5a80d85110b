package mesh.execution;

import java.util.UUID;

/**
 * A backend that can keep a directory of a sandbox and put it into a later one. Without this, every
 * run begins with nothing.
 */
public interface Snapshotter {

  /**
   * Captures a directory with everything below it, modes and links too. Writes that are made
   * meanwhile may or may not be included; of writes before, all are.
   *
   * @param id names the snapshot: calling again with the same one, after a lost answer, makes no
   *     second
   * @throws BackendException.SandboxGone if there is no such sandbox
   */
  SnapshotRef capture(ExternalRef sandbox, SandboxPath directory, UUID id)
      throws InterruptedException;

  /**
   * Puts a captured tree at {@code directory} of a sandbox in which nothing ran yet, in place of
   * what is there. The snapshot stays as it is, whatever is written there later. Handles from
   * before may not be used any more; the ref stays the same.
   *
   * @return a handle to the sandbox with the files in it
   * @throws BackendException.Rejected if the snapshot no longer exists or cannot be used
   */
  Sandbox restore(ExternalRef sandbox, SnapshotRef snapshot, SandboxPath directory)
      throws InterruptedException;

  /** Deletes a snapshot. Deleting what is already gone succeeds. */
  void delete(SnapshotRef snapshot) throws InterruptedException;
}
