package mesh.execution;

/**
 * A backend's own name for a snapshot, opaque to everyone else, as {@link ExternalRef} is for a
 * sandbox.
 */
public final class SnapshotRef {

  private final String text;

  private SnapshotRef(String text) {
    this.text = text;
  }

  /** For backends, and for loading a row. */
  public static SnapshotRef of(String text) {
    return new SnapshotRef(text);
  }

  /** For the backend that made this, and for storing a row. */
  public String reveal() {
    return text;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SnapshotRef ref && ref.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return "SnapshotRef[…]";
  }
}
