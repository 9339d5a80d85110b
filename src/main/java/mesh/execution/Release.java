package mesh.execution;

/** What became of a sandbox that was released. */
public enum Release {
  /** It and its files are gone. */
  DESTROYED,
  /** It sleeps with its files and can be woken, see {@link Hibernator}. */
  HIBERNATED
}
