package mesh.simulator.modal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import mesh.simulator.namespace.Namespace;

/**
 * Images taken of containers' files, and images mounted into containers. One that is mounted is a
 * copy of the container's own.
 */
final class Snapshots {

  /** In each container's root directory; no snapshot has it. */
  private static final String OWN = "__modal";

  private final Images images;
  private final Map<String, CompletableFuture<String>> taken = new ConcurrentHashMap<>();

  Snapshots(Images images) {
    this.images = images;
  }

  /**
   * Of everything that can be written and is not mounted.
   *
   * @param key one that is asked for again is not taken again; may be empty
   */
  String files(Container container, String key) throws IOException, InterruptedException {
    return once(
        key,
        () -> {
          container.namespace();
          return images.keep(place -> copyRoot(container.files(), place));
        });
  }

  private static void copyRoot(Path root, Path place) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("cp", "-a", "--reflink=auto", "--"));
    try (var files = Files.list(root)) {
      files.filter(file -> !file.endsWith(OWN)).forEach(file -> command.add(file.toString()));
    }
    command.add(Files.createDirectories(place).toString());
    Namespace.asRoot(command);
  }

  /** Of a directory as it is seen in the container. */
  String directory(Container container, String path, String key)
      throws IOException, InterruptedException {
    var namespace = container.namespace();
    if (!Files.isDirectory(Rooted.find(namespace.root(), path, true))) {
      throw Refusal.invalid(path + " is not a directory");
    }
    return once(
        key,
        () -> {
          var name = OWN + "/snapshots/" + UUID.randomUUID();
          var copy = Files.createDirectories(container.files().resolve(name));
          namespace.asItsRoot(List.of("cp", "-a", "--", path + "/.", "/" + name));
          return images.keep(place -> Files.move(copy, place));
        });
  }

  /**
   * @param image empty for an empty directory
   */
  void mount(Container container, String path, String image)
      throws IOException, InterruptedException {
    var namespace = container.namespace();
    var name = OWN + "/mounts/" + UUID.randomUUID();
    var copy = container.files().resolve(name);
    if (image.isEmpty()) {
      Files.createDirectories(copy);
    } else {
      images.copy(image, copy);
    }
    Files.createDirectories(Rooted.find(namespace.root(), path, true));
    namespace.asItsRoot(List.of("mount", "--bind", "/" + name, path));
  }

  void unmount(Container container, String path) throws IOException, InterruptedException {
    container.namespace().asItsRoot(List.of("umount", "-l", path));
  }

  private interface Taking {
    String take() throws IOException, InterruptedException;
  }

  private String once(String key, Taking taking) throws IOException, InterruptedException {
    if (key.isEmpty()) {
      return taking.take();
    }
    var mine = new CompletableFuture<String>();
    var other = taken.putIfAbsent(key, mine);
    if (other != null) {
      return other.join();
    }
    try {
      mine.complete(taking.take());
      return mine.join();
    } finally {
      if (!mine.isDone()) {
        taken.remove(key);
        mine.completeExceptionally(Refusal.precondition("the snapshot failed"));
      }
    }
  }
}
