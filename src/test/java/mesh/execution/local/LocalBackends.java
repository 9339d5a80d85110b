package mesh.execution.local;

import java.nio.file.Path;
import mesh.execution.Backend;

/** The local backend for tests of other packages. */
public final class LocalBackends {

  private LocalBackends() {}

  /** With its sandboxes in a folder of the caller's. */
  public static Backend in(Path root) {
    return new LocalBackend(root, MemorySizes.USUAL);
  }
}
