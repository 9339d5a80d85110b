package mesh.simulator.modal;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import mesh.simulator.namespace.Namespace;
import org.jspecify.annotations.Nullable;

/** Removes a folder with everything in it. */
final class Deletion {

  private Deletion() {}

  static void of(Path folder) throws IOException, InterruptedException {
    if (!Files.exists(folder)) {
      return;
    }
    try {
      Files.walkFileTree(folder, new Remover());
    } catch (IOException e) {
      // Directories may be closed to their owner, but not to root.
      Namespace.asRoot(List.of("rm", "-rf", "--", folder.toString()));
    }
  }

  private static final class Remover extends SimpleFileVisitor<Path> {

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException trouble)
        throws IOException {
      Files.delete(directory);
      return super.postVisitDirectory(directory, trouble);
    }
  }
}
