package mesh.workspace;

import mesh.execution.FileRefusal;

/** What became of the reading of a file's window. */
sealed interface WindowRead {

  /**
   * @param bytes redacted, so their number says nothing of the file's
   * @param isText whether they are whole characters of UTF-8
   * @param nextOffset where the window ended in the file
   * @param size of the file
   * @param eof whether it ended with the file
   * @param redactions how many markers are in it
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared; copying content would buy nothing
  record Content(
      byte[] bytes, boolean isText, long nextOffset, long size, boolean eof, int redactions)
      implements WindowRead {}

  /** There is no such file. */
  record Absent() implements WindowRead {}

  record Refused(FileRefusal reason) implements WindowRead {}
}
