package mesh.execution.local;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import mesh.execution.BackendException;
import mesh.execution.SandboxKey;

/**
 * The directories below the root. A sandbox appears by one rename and disappears by one, so that
 * two processes and a crash at any moment leave it there or not, never half.
 */
final class Folders {

  /** Being made, or left by a crash while it was. */
  private static final String COMING = ".coming-";

  /** Being deleted, or left by a crash while it was. */
  private static final String GOING = ".going-";

  private final Path root;

  Folders(Path root) {
    this.root = root;
  }

  /** Where the sandbox is, if it is. */
  SandboxFolder of(SandboxKey key) {
    try {
      return new SandboxFolder(key, root.toRealPath().resolve(key.value()));
    } catch (NoSuchFileException _) {
      return new SandboxFolder(key, root.resolve(key.value()));
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** Makes the sandbox unless it is there. */
  SandboxFolder make(SandboxKey key) {
    try {
      SandboxFolder.makePrivate(root);
      var folder = of(key);
      if (folder.exists()) {
        folder.furnish();
        return folder;
      }
      var coming = new SandboxFolder(key, folder.path().resolveSibling(unique(COMING, key)));
      coming.furnish();
      try {
        Files.move(coming.path(), folder.path(), StandardCopyOption.ATOMIC_MOVE);
      } catch (FileSystemException e) {
        // Another thread or process was first, and its directory is not empty.
        if (e instanceof AtomicMoveNotSupportedException || !folder.exists()) {
          throw e;
        }
        Deletion.of(coming.path());
      }
      return folder;
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** Takes the sandbox out of use: from here on it is gone, though its files may still be there. */
  void retire(SandboxKey key) {
    var folder = of(key);
    try {
      if (folder.exists()) {
        Files.move(
            folder.path(),
            folder.path().resolveSibling(unique(GOING, key)),
            StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (NoSuchFileException _) {
      // Another thread or process retired it.
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** What is left of a sandbox that was retired, now or before a crash. */
  List<Path> remains(SandboxKey key) {
    return children().stream()
        .filter(path ->
            name(path).startsWith(GOING + key.value() + "_")
                || name(path).startsWith(COMING + key.value() + "_"))
        .toList();
  }

  /** Every sandbox that exists, also those whose release did not come to its end. */
  List<SandboxFolder> all() {
    var found = new ArrayList<SandboxFolder>();
    for (var path : children()) {
      var name = name(path);
      var going = name.startsWith(GOING) && name.indexOf('_') > 0;
      key(going ? name.substring(GOING.length(), name.indexOf('_')) : name)
          .ifPresent(key -> found.add(new SandboxFolder(key, path)));
    }
    return found;
  }

  /** Empty if no sandbox is called that. */
  static Optional<SandboxKey> key(String text) {
    try {
      return Optional.of(new SandboxKey(text));
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  private List<Path> children() {
    try (var paths = Files.list(root)) {
      return paths.toList();
    } catch (NoSuchFileException _) {
      return List.of();
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private static String unique(String prefix, SandboxKey key) {
    return prefix + key.value() + "_" + Marks.next();
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  private BackendException unusable(IOException cause) {
    return new BackendException.Rejected(
        "the folder for sandboxes, " + root + ", cannot be used: " + cause, cause);
  }
}
