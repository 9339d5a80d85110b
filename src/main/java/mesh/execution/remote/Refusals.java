package mesh.execution.remote;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import mesh.execution.FileRefusal;

/** Reads why a program could not use a file from what it said, in the C locale. */
enum Refusals {
  IS_A_DIRECTORY(FileRefusal.IS_A_DIRECTORY, "is a directory"),
  NOT_A_DIRECTORY(FileRefusal.PARENT_NOT_A_DIRECTORY, "not a directory"),
  DENIED(FileRefusal.PERMISSION_DENIED, "permission denied", "operation not permitted"),
  TOO_LONG(FileRefusal.NAME_TOO_LONG, "file name too long", "filename too long"),
  LOOP(FileRefusal.TOO_MANY_LINKS, "too many levels of symbolic links", "symbolic link loop"),
  NO_SPACE(FileRefusal.NO_SPACE, "no space left on device", "disk quota exceeded"),
  READ_ONLY(FileRefusal.READ_ONLY, "read-only file system"),
  TOO_LARGE(FileRefusal.TOO_LARGE, "file too large"),
  // Nothing that is there was found not to be one, so a part above it is missing.
  MISSING(FileRefusal.PARENT_NOT_A_DIRECTORY, "no such file or directory", "file exists");

  private final FileRefusal reason;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<String> words;

  Refusals(FileRefusal reason, String... words) {
    this.reason = reason;
    this.words = List.of(words);
  }

  FileRefusal reason() {
    return reason;
  }

  /**
   * Empty if it said nothing that is known. The end of a line counts and not the whole, since a
   * path may hold any words.
   */
  static Optional<Refusals> of(String said) {
    var lines = said.toLowerCase(Locale.ROOT).lines().map(String::strip).toList();
    return Arrays.stream(values())
        .filter(refusal -> lines.stream().anyMatch(refusal::ends))
        .findFirst();
  }

  private boolean ends(String line) {
    return words.stream().anyMatch(line::endsWith);
  }
}
