package mesh.database;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/**
 * The folder Mesh keeps its files in ({@code MESH_DATA_DIR}). It and all in it belong to Mesh's own
 * user alone: folders are 0700, files 0600.
 */
public final class DataFolder {

  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  private final Path path;

  /** Makes the folder if it is missing and takes it away from other users if it is there. */
  public DataFolder(Path path) {
    this.path = makePrivate(path.toAbsolutePath().normalize());
  }

  /** Absolute. */
  public Path path() {
    return path;
  }

  /** A private folder in this one, made if missing. */
  public DataFolder folder(String name) {
    return new DataFolder(path.resolve(name));
  }

  /** The text of a file in this folder; empty if there is no such file. */
  public Optional<String> find(String name) {
    Path file = path.resolve(name);
    try {
      return Files.exists(file) ? Optional.of(Files.readString(file)) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("could not read " + file, e);
    }
  }

  /** Puts a file with mode 0600 in this folder: whole and on disk, or not at all. */
  public Path write(String name, String text) {
    Path file = path.resolve(name);
    Path unfinished = path.resolve(name + ".unfinished");
    try {
      Files.deleteIfExists(unfinished);
      Files.createFile(unfinished, permissions("rw-------"));
      Files.writeString(unfinished, text);
      try (FileChannel channel = FileChannel.open(unfinished, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      return Files.move(
          unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("could not write " + file, e);
    }
  }

  /** Does nothing if there is no such file. */
  public void delete(String name) {
    try {
      Files.deleteIfExists(path.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException("could not delete " + path.resolve(name), e);
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }

  private static Path makePrivate(Path folder) {
    try {
      Path parent = folder.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      try {
        return Files.createDirectory(folder, permissions("rwx------"));
      } catch (FileAlreadyExistsException e) {
        if (!Files.isDirectory(folder)) {
          throw e;
        }
        if (POSIX
            && !PosixFilePermissions.toString(Files.getPosixFilePermissions(folder))
                .endsWith("------")) {
          Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        }
        return folder;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(
          "could not make the private folder %s: make it writable for Mesh's user, or set MESH_DATA_DIR"
              .formatted(folder),
          e);
    }
  }

  static FileAttribute<?>[] permissions(String mode) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
        }
        : new FileAttribute<?>[0];
  }
}
