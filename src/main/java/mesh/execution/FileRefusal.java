package mesh.execution;

/** Why a sandbox did not read or write a file. Each can be mended by whoever named the path. */
public enum FileRefusal {
  IS_A_DIRECTORY("it is a directory"),
  NOT_A_REGULAR_FILE("it is a pipe, a socket or a device"),
  PARENT_NOT_A_DIRECTORY("a part of the path is not a directory"),
  PERMISSION_DENIED("permission denied"),
  NAME_TOO_LONG("a name in the path is longer than 255 bytes, or the path is too long"),
  LINK_OUT_OF_PROJECT("a symbolic link leads out of the project directory"),
  TOO_MANY_LINKS("symbolic links form a loop"),
  NO_SPACE("the disk is full"),
  READ_ONLY("the file system is read-only"),
  TOO_LARGE("it is too large");

  private final String words;

  FileRefusal(String words) {
    this.words = words;
  }

  /** Completes the sentence "could not read {path}: …". */
  public String words() {
    return words;
  }
}
