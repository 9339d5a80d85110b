package mesh.execution;

/** What became of a write. */
public sealed interface FileWrite {

  /** Largest file one write makes: 16 MiB. */
  int MAX_BYTES = 16 * 1024 * 1024;

  /**
   * @param size in bytes
   */
  record Written(long size) implements FileWrite {}

  /** Nothing was changed. */
  record Refused(FileRefusal reason) implements FileWrite {}
}
