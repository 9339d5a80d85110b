package mesh.execution.local;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import mesh.execution.FileMode;
import mesh.execution.FileRefusal;

/** Puts a whole new file in the place of an old one, or of none, by one rename. */
final class Replacement {

  private static final FileMode.Exactly USUAL = new FileMode.Exactly(0644);

  private Replacement() {}

  static void of(Place place, byte[] content, FileMode mode)
      throws FileRefusedException, IOException {
    if (place.isThere()) {
      checkReplaceable(place.found().orElseThrow());
    }
    var parent = place.path().getParent();
    if (parent == null) {
      throw new FileRefusedException(FileRefusal.IS_A_DIRECTORY);
    }
    Files.createDirectories(parent);
    // Not named after the file: its name may be as long as a name can be.
    var temporary = parent.resolve(".mesh-" + Marks.next());
    try {
      write(temporary, content, permissions(place, mode));
      keepOwner(place, temporary);
      Files.move(temporary, place.path(), StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(temporary);
      throw e;
    }
  }

  private static void checkReplaceable(PosixFileAttributes old) throws FileRefusedException {
    if (old.isDirectory()) {
      throw new FileRefusedException(FileRefusal.IS_A_DIRECTORY);
    }
    if (!old.isRegularFile()) {
      throw new FileRefusedException(FileRefusal.NOT_A_REGULAR_FILE);
    }
  }

  private static void write(Path file, byte[] content, Set<PosixFilePermission> permissions)
      throws IOException {
    var wanted = PosixFilePermissions.asFileAttribute(permissions);
    try (var channel = Files.newByteChannel(file, Set.of(CREATE_NEW, WRITE), wanted)) {
      // The process's umask took some away.
      Files.setPosixFilePermissions(file, permissions);
      var bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }

  private static Set<PosixFilePermission> permissions(Place place, FileMode mode) {
    return switch (mode) {
      case FileMode.Exactly exactly -> permissions(exactly);
      case FileMode.Keep _ ->
          place.found().map(PosixFileAttributes::permissions).orElseGet(() -> permissions(USUAL));
    };
  }

  private static Set<PosixFilePermission> permissions(FileMode.Exactly mode) {
    var text = new StringBuilder("rwxrwxrwx");
    for (var i = 0; i < text.length(); i++) {
      if ((mode.bits() & (0400 >> i)) == 0) {
        text.setCharAt(i, '-');
      }
    }
    return PosixFilePermissions.fromString(text.toString());
  }

  /** Matters to root alone: anyone else owns what they replace, or takes it over. */
  private static void keepOwner(Place place, Path temporary) throws IOException {
    if (place.isThere()) {
      var old = place.found().orElseThrow();
      var now =
          Files.readAttributes(temporary, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (!old.owner().equals(now.owner())) {
        try {
          Files.setAttribute(temporary, "posix:owner", old.owner());
          Files.setAttribute(temporary, "posix:group", old.group());
        } catch (FileSystemException _) {
          // Only root may give a file away.
        }
      }
    }
  }
}
