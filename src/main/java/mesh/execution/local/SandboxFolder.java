package mesh.execution.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import mesh.execution.BackendException;
import mesh.execution.SandboxKey;

/**
 * What a sandbox is on disk: a directory named by its key that holds {@code project}, {@code home}
 * and {@code tmp}, and what Mesh knows of it. All belong to Mesh's user alone.
 *
 * @param path real and absolute
 */
record SandboxFolder(SandboxKey key, Path path) {

  private static final Set<PosixFilePermission> OWNER =
      Set.copyOf(PosixFilePermissions.fromString("rwx------"));

  private static final FileAttribute<?> PRIVATE = PosixFilePermissions.asFileAttribute(OWNER);

  Path project() {
    return path.resolve("project");
  }

  Path home() {
    return path.resolve("home");
  }

  Path temporary() {
    return path.resolve("tmp");
  }

  /** Its modification time is when the sandbox was made, by the file system's clock. */
  private Path birth() {
    return path.resolve("made");
  }

  KeptSize size() {
    return new KeptSize(path.resolve("size"));
  }

  boolean exists() {
    return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * @throws BackendException.SandboxGone if it does not exist
   */
  void check() {
    if (!exists()) {
      throw new BackendException.SandboxGone(
          "sandbox " + key.value() + " no longer exists, or it is asleep");
    }
  }

  SandboxFolder checked() {
    check();
    return this;
  }

  /** Makes what is missing. */
  void furnish() throws IOException {
    keepPrivate(path);
    for (var directory : List.of(path, project(), home(), temporary())) {
      // Whatever a command put in its place is the command's business.
      if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
        makePrivate(directory);
      }
    }
    if (!Files.exists(birth())) {
      Files.writeString(birth(), "The time of this file is when the sandbox was made.\n");
    }
  }

  Instant createdAt() throws IOException {
    var of = Files.exists(birth()) ? birth() : path;
    return Files.getLastModifiedTime(of).toInstant();
  }

  static void makePrivate(Path directory) throws IOException {
    Files.createDirectories(directory, PRIVATE);
  }

  /** Gives a directory back the rights it was made with; does nothing if it is none. */
  static void keepPrivate(Path directory) throws IOException {
    if (Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) {
      Files.setPosixFilePermissions(directory, OWNER);
    }
  }
}
