package mesh.workspace;

import java.util.UUID;

/** A row of {@code project_snapshots}. */
record SnapshotId(UUID value) {

  @Override
  public String toString() {
    return value.toString();
  }
}
