package mesh.execution.local;

import java.nio.file.Path;
import mesh.BesideOthers;
import mesh.execution.Backend;
import mesh.execution.BackendContract;
import org.junit.jupiter.api.io.TempDir;

@BesideOthers
class LocalBackendTest extends BackendContract {

  /** Little, so that to run out of it is quick. */
  private static final MemorySizes LITTLE = new MemorySizes(128L << 20);

  @TempDir static Path root;

  @Override
  protected Backend backend() {
    return new LocalBackend(root, LITTLE);
  }
}
