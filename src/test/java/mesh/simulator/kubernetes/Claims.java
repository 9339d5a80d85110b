package mesh.simulator.kubernetes;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import mesh.simulator.namespace.Namespace;
import tools.jackson.databind.node.ObjectNode;

/** A directory for each claim, and for each snapshot of one. */
final class Claims {

  private final Path folder;

  Claims(Path folder) {
    this.folder = folder;
  }

  Path folder(ObjectNode object) throws IOException {
    return Files.createDirectories(folder.resolve(Json.text(object, "metadata.uid")));
  }

  /** Copies what one object has to another that has nothing yet. */
  void copy(ObjectNode from, ObjectNode to) throws IOException, InterruptedException {
    Namespace.asRoot(List.of("cp", "-a", "--", folder(from) + "/.", folder(to).toString()));
  }

  void remove(ObjectNode object) throws IOException, InterruptedException {
    var own = folder.resolve(Json.text(object, "metadata.uid"));
    if (Files.exists(own)) {
      Namespace.asRoot(List.of("rm", "-rf", "--", own.toString()));
    }
  }
}
