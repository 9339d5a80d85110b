package mesh.execution.local;

import mesh.execution.FileRefusal;

/** Carries a refusal out of a walk along a path; becomes a value before it leaves the adapter. */
final class FileRefusedException extends Exception {

  private final FileRefusal reason;

  FileRefusedException(FileRefusal reason) {
    super(reason.words(), null, false, false);
    this.reason = reason;
  }

  FileRefusal reason() {
    return reason;
  }
}
