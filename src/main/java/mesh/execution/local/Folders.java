package mesh.execution.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import mesh.execution.BackendException;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.Inventory;
import mesh.execution.InventoryEntry;
import mesh.execution.SandboxKey;
import mesh.execution.Size;
import mesh.execution.local.FolderName.Stage;

/**
 * The directories below the root. A sandbox appears, falls asleep, wakes and disappears by one
 * rename each, so that a crash at any moment leaves it there or not, never half; and only inside
 * the {@link Gate}, so that nobody makes a second one while the first changes its name.
 */
final class Folders {

  private final Path root;
  private final Gate gate;

  Folders(Path root) {
    this.root = root;
    this.gate = new Gate(root);
  }

  /** Where the sandbox is while it is awake. */
  SandboxFolder of(SandboxKey key) {
    return at(Stage.AWAKE, key);
  }

  private SandboxFolder at(Stage stage, SandboxKey key) {
    try {
      return new SandboxFolder(key, root.toRealPath().resolve(stage.nameFor(key)));
    } catch (NoSuchFileException _) {
      return new SandboxFolder(key, root.resolve(stage.nameFor(key)));
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  /** Makes the sandbox, or wakes it, or finds it awake; then it has the size it had. */
  SandboxFolder make(SandboxKey key, Size size) throws InterruptedException {
    try {
      SandboxFolder.makePrivate(root);
    } catch (IOException e) {
      throw unusable(e);
    }
    return change(() -> {
      var folder = awake(key);
      if (!folder.exists()) {
        var coming = at(Stage.COMING, key);
        coming.furnish();
        coming.size().keep(size);
        rename(coming.path(), folder.path());
      }
      return folder;
    });
  }

  /**
   * Wakes the sandbox, or finds it awake.
   *
   * @throws BackendException.SandboxGone if it does not exist
   */
  SandboxFolder wake(SandboxKey key) throws InterruptedException {
    return change(() -> awake(key)).checked();
  }

  /** The sandbox with all its furniture, woken if it was asleep, if it exists at all. */
  private SandboxFolder awake(SandboxKey key) throws IOException {
    var folder = of(key);
    var asleep = at(Stage.ASLEEP, key);
    if (asleep.exists()) {
      discardTemporary(asleep);
      rename(asleep.path(), folder.path());
    }
    if (folder.exists()) {
      folder.furnish();
    }
    return folder;
  }

  /**
   * Lays the sandbox to sleep: from here on it is gone for whoever holds it, though its processes
   * may still run.
   *
   * @return whether it sleeps; false if there is none
   */
  boolean sleep(SandboxKey key) throws InterruptedException {
    return change(() -> {
      var folder = of(key);
      var asleep = at(Stage.ASLEEP, key);
      if (folder.exists()) {
        rename(folder.path(), asleep.path());
      }
      if (!asleep.exists()) {
        return false;
      }
      discardTemporary(asleep);
      return true;
    });
  }

  /** Temporary files do not outlive the processes that made them. */
  private void discardTemporary(SandboxFolder folder) throws IOException {
    // Commands may have taken from us the right to move it.
    SandboxFolder.keepPrivate(folder.path());
    SandboxFolder.keepPrivate(folder.temporary());
    if (Files.exists(folder.temporary(), LinkOption.NOFOLLOW_LINKS)) {
      rename(folder.temporary(), at(Stage.GOING, folder.key()).path());
    }
  }

  /** Takes the sandbox out of use: from here on it is gone, though its files may still be there. */
  void retire(SandboxKey key) throws InterruptedException {
    var _ =
        change(() -> {
          for (var stage : List.of(Stage.AWAKE, Stage.ASLEEP)) {
            var folder = at(stage, key);
            if (folder.exists()) {
              rename(folder.path(), at(Stage.GOING, key).path());
            }
          }
          return true;
        });
  }

  /** What is to be deleted of a sandbox, left now or by a crash. */
  List<Path> remains(SandboxKey key) throws InterruptedException {
    return foldersOf(key, Set.of(Stage.GOING, Stage.COMING));
  }

  /** Where processes of a sandbox that is not awake may still be. */
  List<Path> quarters(SandboxKey key) throws InterruptedException {
    return foldersOf(key, Set.of(Stage.ASLEEP, Stage.GOING));
  }

  /** Also what a command put in the place of a directory. */
  private List<Path> foldersOf(SandboxKey key, Set<Stage> stages) throws InterruptedException {
    return change(() ->
        children().stream()
            .filter(path ->
                FolderName.of(path)
                    .filter(it -> it.key().equals(key) && stages.contains(it.stage()))
                    .isPresent())
            .toList());
  }

  /** Every sandbox that exists, also those whose release did not come to its end. */
  Inventory inventory(InstallationId installation) throws InterruptedException {
    return change(() -> {
      Map<SandboxKey, InventoryEntry> own = new LinkedHashMap<>();
      Set<SandboxKey> others = new HashSet<>();
      var unmarked = 0;
      for (var path : children()) {
        var name = FolderName.of(path);
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
          continue;
        }
        if (name.isEmpty()) {
          unmarked++;
        } else if (!name.get().key().isOf(installation)) {
          others.add(name.get().key());
        } else {
          entry(name.get(), path).ifPresent(it -> own.merge(it.key(), it, Folders::older));
        }
      }
      return new Inventory(List.copyOf(own.values()), others.size(), unmarked);
    });
  }

  private static Optional<InventoryEntry> entry(FolderName name, Path path) {
    try {
      var created = new SandboxFolder(name.key(), path).createdAt();
      return Optional.of(
          new InventoryEntry(name.key(), ExternalRef.of(name.key().value()), created));
    } catch (IOException _) {
      // Deleted meanwhile.
      return Optional.empty();
    }
  }

  /** Temporary files on their way out are of a sandbox that was made before them. */
  private static InventoryEntry older(InventoryEntry one, InventoryEntry other) {
    return one.createdAt().isAfter(other.createdAt()) ? other : one;
  }

  private List<Path> children() throws IOException {
    try (var paths = Files.list(root)) {
      return paths.toList();
    } catch (NoSuchFileException _) {
      return List.of();
    }
  }

  private <T> T change(Gate.Passage<T> passage) throws InterruptedException {
    try {
      // Where there is no root, there is nothing to change and no place for the gate.
      return Files.isDirectory(root) ? gate.through(passage) : passage.run();
    } catch (IOException e) {
      throw unusable(e);
    }
  }

  private static void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
  }

  private BackendException unusable(IOException cause) {
    return new BackendException.Rejected(
        "the folder for sandboxes, " + root + ", cannot be used: " + cause, cause);
  }
}
