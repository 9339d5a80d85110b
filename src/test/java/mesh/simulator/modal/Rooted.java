package mesh.simulator.modal;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Finds files below another root directory as a process in there would, links included. */
final class Rooted {

  private static final int MOST_LINKS = 40;

  private Rooted() {}

  /**
   * A path that leads there without any symbolic link, but for its last part.
   *
   * @param path absolute, as it is below the root
   * @param follow whether the last part's link is followed, too
   */
  static Path find(Path root, String path, boolean follow) throws IOException {
    var left = parts(path);
    var place = root;
    var links = 0;
    while (!left.isEmpty()) {
      var part = left.pop();
      if (Files.exists(place) && !Files.isDirectory(place)) {
        throw new NotDirectoryException(path);
      }
      if (part.equals("..")) {
        place = place.equals(root) ? root : parent(place);
        continue;
      }
      var next = place.resolve(part);
      if (!Files.isSymbolicLink(next) || (left.isEmpty() && !follow)) {
        place = next;
        continue;
      }
      if (++links > MOST_LINKS) {
        throw new FileSystemLoopException(path);
      }
      var target = Files.readSymbolicLink(next).toString();
      place = target.startsWith("/") ? root : place;
      var parts = parts(target);
      while (!parts.isEmpty()) {
        left.push(parts.removeLast());
      }
    }
    return place;
  }

  private static Path parent(Path place) {
    var parent = place.getParent();
    return parent == null ? place : parent;
  }

  private static Deque<String> parts(String path) {
    return new ArrayDeque<>(
        Arrays.stream(path.split("/", -1))
            .filter(part -> !part.isEmpty() && !part.equals("."))
            .toList());
  }
}
