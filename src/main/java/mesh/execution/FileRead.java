package mesh.execution;

/** What became of a read. */
public sealed interface FileRead {

  /** Most bytes one read returns: 16 MiB. */
  int MAX_BYTES = 16 * 1024 * 1024;

  /**
   * @param size of the whole file in bytes; for a file that does not know its size (in {@code
   *     /proc}) what was read so far
   * @param eof whether these bytes reach the file's end
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared; copying content would buy nothing
  record Content(byte[] bytes, long size, boolean eof) implements FileRead {}

  /** There is no such file. */
  record Absent() implements FileRead {}

  record Refused(FileRefusal reason) implements FileRead {}
}
