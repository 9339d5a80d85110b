package mesh.execution.local;

import java.nio.file.Path;
import mesh.execution.Backend;
import mesh.execution.BackendContract;
import org.junit.jupiter.api.io.TempDir;

class LocalBackendTest extends BackendContract {

  @TempDir static Path root;

  @Override
  protected Backend backend() {
    return new LocalBackend(root);
  }
}
