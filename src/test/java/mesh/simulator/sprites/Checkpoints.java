package mesh.simulator.sprites;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.simulator.namespace.Namespace;

/** Copies of a sprite's home directory. */
final class Checkpoints {

  /** One copy, {@code v1} being the first. */
  record Checkpoint(String id, String comment, Instant createdAt) {

    Map<String, Object> json() {
      var json = new LinkedHashMap<String, Object>();
      json.put("id", id);
      json.put("create_time", createdAt.toString());
      if (!comment.isEmpty()) {
        json.put("comment", comment);
      }
      json.put("is_auto", false);
      return json;
    }
  }

  private final Path home;
  private final Path copies;
  private final List<Checkpoint> taken = new ArrayList<>();
  private int last;

  Checkpoints(Path folder) {
    this.home = folder.resolve("home");
    this.copies = folder.resolve("checkpoints");
  }

  synchronized Checkpoint create(String comment, Instant at)
      throws IOException, InterruptedException {
    Files.createDirectories(copies);
    var checkpoint = new Checkpoint("v" + ++last, comment, at);
    copy(home, copies.resolve(checkpoint.id()));
    taken.addFirst(checkpoint);
    return checkpoint;
  }

  /** Newest first. */
  synchronized List<Checkpoint> all() {
    return List.copyOf(taken);
  }

  synchronized Optional<Checkpoint> find(String id) {
    return taken.stream().filter(checkpoint -> checkpoint.id().equals(id)).findFirst();
  }

  /** Puts the copy where the home directory is; nothing may be running. */
  synchronized void restore(Checkpoint checkpoint) throws IOException, InterruptedException {
    remove(home);
    copy(copies.resolve(checkpoint.id()), home);
  }

  synchronized void delete(Checkpoint checkpoint) throws IOException, InterruptedException {
    if (taken.remove(checkpoint)) {
      remove(copies.resolve(checkpoint.id()));
    }
  }

  private static void copy(Path from, Path to) throws IOException, InterruptedException {
    Namespace.asRoot(List.of("cp", "-a", "--", from.toString(), to.toString()));
  }

  private static void remove(Path path) throws IOException, InterruptedException {
    Namespace.asRoot(List.of("rm", "-rf", "--", path.toString()));
  }
}
