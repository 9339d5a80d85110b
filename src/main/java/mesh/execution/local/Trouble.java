package mesh.execution.local;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import mesh.execution.FileRefusal;

/** What an exception of the file system means. */
sealed interface Trouble {

  record Gone() implements Trouble {}

  record Refusal(FileRefusal reason) implements Trouble {}

  record Unknown() implements Trouble {}

  /**
   * @param near a path on the file system in question
   * @param needed bytes that were to be written
   */
  static Trouble of(IOException e, Path near, long needed) {
    return switch (e) {
      case NoSuchFileException _ -> new Gone();
      case AccessDeniedException _ -> new Refusal(FileRefusal.PERMISSION_DENIED);
      case NotDirectoryException _ -> new Refusal(FileRefusal.PARENT_NOT_A_DIRECTORY);
      default -> ofWords(e, near, needed);
    };
  }

  /** Java keeps the error's number to itself and passes on its text. */
  private static Trouble ofWords(IOException e, Path near, long needed) {
    var words =
        e instanceof FileSystemException it && it.getReason() != null
            ? it.getReason()
            : String.valueOf(e.getMessage());
    return switch (words) {
      case "No space left on device", "Disk quota exceeded" -> new Refusal(FileRefusal.NO_SPACE);
      case "Read-only file system" -> new Refusal(FileRefusal.READ_ONLY);
      case "Operation not permitted", "Permission denied" ->
          new Refusal(FileRefusal.PERMISSION_DENIED);
      case "File name too long" -> new Refusal(FileRefusal.NAME_TOO_LONG);
      case "Too many levels of symbolic links" -> new Refusal(FileRefusal.TOO_MANY_LINKS);
      case "Not a directory" -> new Refusal(FileRefusal.PARENT_NOT_A_DIRECTORY);
      case "Is a directory" -> new Refusal(FileRefusal.IS_A_DIRECTORY);
      case "File too large" -> new Refusal(FileRefusal.TOO_LARGE);
      default -> ofStore(near, needed);
    };
  }

  /** Under a locale with words of its own, the file system itself is asked. */
  private static Trouble ofStore(Path near, long needed) {
    try {
      var there = near;
      while (!Files.exists(there) && there.getParent() != null) {
        there = there.getParent();
      }
      var store = Files.getFileStore(there);
      if (store.isReadOnly()) {
        return new Refusal(FileRefusal.READ_ONLY);
      }
      return needed > store.getUsableSpace() ? new Refusal(FileRefusal.NO_SPACE) : new Unknown();
    } catch (IOException _) {
      return new Unknown();
    }
  }
}
