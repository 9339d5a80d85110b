package mesh.workspace;

import java.util.Locale;

/**
 * Where a workspace is. The legal steps between these are rows of {@code workspace_transitions};
 * the database refuses any other.
 */
public enum WorkspaceState {
  /** No sandbox: none of the run's tools has reached for one yet. */
  PENDING,
  /** The row is committed; a sandbox is being made, or may have been. */
  CREATING,
  /** Commands can run. */
  READY,
  /** Asleep after its run ended, for the conversation's next run. */
  HELD,
  /** Out of its run's reach; the vendor has not yet confirmed that the sandbox is gone. */
  RELEASING,
  RELEASED,
  /** The vendor says that the sandbox is gone although nobody released it. */
  LOST,
  /** It cannot be released: its backend's credential or catalog entry is gone. A person must. */
  STRANDED;

  /** As JSON and the database have it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The reverse of {@link #word()}. */
  public static WorkspaceState of(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }
}
