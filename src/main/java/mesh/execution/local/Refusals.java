package mesh.execution.local;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Optional;
import mesh.execution.FileRefusal;

/** Reads a refusal out of an exception of the file system. */
final class Refusals {

  private Refusals() {}

  /**
   * Empty if it says nothing that whoever named the path could mend.
   *
   * @param near a path on the file system in question
   * @param needed bytes that were to be written
   */
  static Optional<FileRefusal> of(IOException e, Path near, long needed) {
    return switch (e) {
      case AccessDeniedException _ -> Optional.of(FileRefusal.PERMISSION_DENIED);
      case NotDirectoryException _ -> Optional.of(FileRefusal.PARENT_NOT_A_DIRECTORY);
      default -> ofWords(words(e)).or(() -> ofStore(near, needed));
    };
  }

  /** Java keeps the error's number to itself and passes on its text. */
  private static Optional<FileRefusal> ofWords(String words) {
    return switch (words) {
      case "No space left on device", "Disk quota exceeded" -> Optional.of(FileRefusal.NO_SPACE);
      case "Read-only file system" -> Optional.of(FileRefusal.READ_ONLY);
      case "Operation not permitted", "Permission denied" ->
          Optional.of(FileRefusal.PERMISSION_DENIED);
      case "File name too long" -> Optional.of(FileRefusal.NAME_TOO_LONG);
      case "Too many levels of symbolic links" -> Optional.of(FileRefusal.TOO_MANY_LINKS);
      case "Not a directory" -> Optional.of(FileRefusal.PARENT_NOT_A_DIRECTORY);
      case "Is a directory" -> Optional.of(FileRefusal.IS_A_DIRECTORY);
      case "File too large" -> Optional.of(FileRefusal.TOO_LARGE);
      default -> Optional.empty();
    };
  }

  private static String words(IOException e) {
    var reason = e instanceof FileSystemException it ? it.getReason() : e.getMessage();
    return reason == null ? "" : reason;
  }

  /** Under a locale with words of its own, the file system itself is asked. */
  private static Optional<FileRefusal> ofStore(Path near, long needed) {
    try {
      var there = near;
      while (!Files.exists(there) && there.getParent() != null) {
        there = there.getParent();
      }
      var store = Files.getFileStore(there);
      if (store.isReadOnly()) {
        return Optional.of(FileRefusal.READ_ONLY);
      }
      return needed > store.getUsableSpace() ? Optional.of(FileRefusal.NO_SPACE) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    }
  }
}
