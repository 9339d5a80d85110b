package mesh.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import mesh.TestMesh;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.springframework.util.FileSystemUtils;

class LocalContinuationTest extends ContinuationBehaviour {

  private static TestMesh mesh;

  @BeforeAll
  static void start() {
    mesh = TestMesh.start("mesh.workspaces.sweep-every=1s");
    Runtimes.afterFirstRun(mesh);
  }

  @AfterAll
  static void stop() {
    mesh.close();
  }

  @Override
  TestMesh mesh() {
    return mesh;
  }

  @Override
  String runtime() {
    return "local";
  }

  @Override
  int sandboxes() {
    return folders().size();
  }

  @Override
  void tamper(String file, String content) {
    try {
      Files.writeString(only().resolve("project").resolve(file), content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  void deleteAtVendor() {
    FileSystemUtils.deleteRecursively(only().toFile());
  }

  private static Path only() {
    var all = folders();
    if (all.size() != 1) {
      throw new AssertionError("not one sandbox: " + all);
    }
    return all.getFirst();
  }

  private static List<Path> folders() {
    var root = mesh.folder().resolve("sandboxes");
    if (!Files.exists(root)) {
      return List.of();
    }
    try (var paths = Files.list(root)) {
      return paths.filter(path -> !path.endsWith(".lock")).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
