package mesh.execution.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import mesh.execution.FileRefusal;
import mesh.execution.SandboxPath;

/**
 * Where a path leads once its links are followed, found without opening anything.
 *
 * @param path free of links
 * @param found what is there; empty if nothing is
 */
@SuppressWarnings("OptionalUsedAsFieldOrParameterType") // made and read in this package alone
record Place(Path path, Optional<PosixFileAttributes> found) {

  private static final int MAX_LINKS = 40;
  private static final int MAX_NAME_BYTES = 255;

  /**
   * @throws FileRefusedException also if {@code path} is inside {@code project} and leads out of it
   */
  static Place of(Path path, Path project) throws FileRefusedException, IOException {
    var place = new Walk().along(path);
    if (path.startsWith(project) && !place.path.startsWith(project)) {
      throw new FileRefusedException(FileRefusal.LINK_OUT_OF_PROJECT);
    }
    if (place.path.startsWith(Walk.OWN)) {
      // Mesh's own process, which the sandbox would take for its own.
      throw new FileRefusedException(FileRefusal.PERMISSION_DENIED);
    }
    return place;
  }

  boolean isThere() {
    return found.isPresent();
  }

  private static final class Walk {

    static final Path OWN = Path.of("/proc/" + ProcessHandle.current().pid());

    private final Deque<Path> ahead = new ArrayDeque<>();
    private Path at = Path.of("/");
    private int links;

    Place along(Path path) throws FileRefusedException, IOException {
      path.forEach(ahead::addLast);
      var found = attributes(at);
      while (!ahead.isEmpty()) {
        var name = ahead.removeFirst();
        if (name.toString().equals("..")) {
          at = Optional.ofNullable(at.getParent()).orElse(at);
          found = attributes(at);
        } else {
          found = step(name, found);
        }
      }
      return new Place(at, found);
    }

    private Optional<PosixFileAttributes> step(Path name, Optional<PosixFileAttributes> parent)
        throws FileRefusedException, IOException {
      if (parent.isPresent() && !parent.get().isDirectory()) {
        throw new FileRefusedException(FileRefusal.PARENT_NOT_A_DIRECTORY);
      }
      var next = at.resolve(name);
      if (bytes(name) > MAX_NAME_BYTES || bytes(next) > SandboxPath.MAX_BYTES) {
        throw new FileRefusedException(FileRefusal.NAME_TOO_LONG);
      }
      var found = parent.isPresent() ? attributes(next) : parent;
      if (found.isPresent() && found.get().isSymbolicLink()) {
        if (++links > MAX_LINKS) {
          throw new FileRefusedException(FileRefusal.TOO_MANY_LINKS);
        }
        return follow(Files.readSymbolicLink(next), parent);
      }
      at = next;
      return found;
    }

    private Optional<PosixFileAttributes> follow(Path target, Optional<PosixFileAttributes> parent)
        throws IOException {
      for (var i = target.getNameCount() - 1; i >= 0; i--) {
        ahead.addFirst(target.getName(i));
      }
      if (!target.isAbsolute()) {
        return parent;
      }
      at = Path.of("/");
      return attributes(at);
    }

    private static Optional<PosixFileAttributes> attributes(Path path) throws IOException {
      try {
        return Optional.of(
            Files.readAttributes(path, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS));
      } catch (NoSuchFileException _) {
        return Optional.empty();
      }
    }

    private static int bytes(Path path) {
      return path.toString().getBytes(UTF_8).length;
    }
  }
}
