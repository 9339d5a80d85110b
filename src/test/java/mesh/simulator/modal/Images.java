package mesh.simulator.modal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import mesh.simulator.namespace.Namespace;
import modal.client.GenericResult;
import modal.client.Image;

/**
 * Images: those that were asked for, which all have this machine's programs and no files of their
 * own, and those that were taken from sandboxes. Commands that would build one are not run.
 */
final class Images {

  private final Path folder;
  private final Map<Image, String> idByDefinition = new ConcurrentHashMap<>();
  private final Map<String, GenericResult> results = new ConcurrentHashMap<>();
  private final Map<String, String> unavailable = new ConcurrentHashMap<>();

  Images(Path folder) {
    this.folder = folder;
  }

  /** From now on building an image from this tag fails, with this message. */
  void unavailable(String tag, String message) {
    unavailable.put("FROM " + tag, message);
  }

  boolean isKnown(Image definition) {
    return idByDefinition.containsKey(definition);
  }

  String build(Image definition) {
    var trouble =
        definition.getDockerfileCommandsList().stream()
            .flatMap(it -> Optional.ofNullable(unavailable.get(it)).stream())
            .findFirst();
    var id = idByDefinition.computeIfAbsent(definition, _ -> Ids.next("im"));
    results.putIfAbsent(id, trouble.map(Results::failed).orElseGet(Results::success));
    if (trouble.isPresent()) {
      idByDefinition.remove(definition);
    }
    return id;
  }

  GenericResult result(String id) {
    return Optional.ofNullable(results.get(id)).orElseThrow(() -> Refusal.notFound("Image " + id));
  }

  void delete(String id) throws IOException, InterruptedException {
    if (results.remove(id) == null) {
      throw Refusal.notFound("Image " + id);
    }
    idByDefinition.values().remove(id);
    Deletion.of(folder.resolve(id));
  }

  /** Keeps a directory that {@code fill} makes where it is told to. */
  String keep(Content fill) throws IOException, InterruptedException {
    var id = Ids.next("im");
    Files.createDirectories(folder);
    fill.make(folder.resolve(id));
    results.put(id, Results.success());
    return id;
  }

  interface Content {
    void make(Path place) throws IOException, InterruptedException;
  }

  /** Copies an image's files, if it has any, to a place that need not be there yet. */
  void copy(String id, Path place) throws IOException, InterruptedException {
    var files = folder.resolve(id);
    if (!result(id).equals(Results.success())) {
      throw Refusal.precondition("Image " + id + " could not be built");
    }
    Files.createDirectories(place);
    if (Files.isDirectory(files)) {
      copy(files, place);
    }
  }

  /** Copies what is in a directory, with its owners, times and links. */
  static void copy(Path from, Path to) throws IOException, InterruptedException {
    Namespace.asRoot(
        List.of("cp", "-a", "--reflink=auto", "--", from.resolve(".").toString(), to.toString()));
  }
}
