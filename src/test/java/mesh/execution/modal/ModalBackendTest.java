package mesh.execution.modal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import mesh.BesideOthers;
import mesh.execution.Backend;
import mesh.execution.BackendContract;
import mesh.simulator.modal.ModalSimulator;
import org.jspecify.annotations.Nullable;

/**
 * The contract on Modal: a simulator, or the vendor itself when {@code MESH_TCK_MODAL_TOKEN_ID} and
 * {@code MESH_TCK_MODAL_TOKEN_SECRET} are in the environment.
 */
@BesideOthers
class ModalBackendTest extends BackendContract {

  private static final String VENDOR = "https://api.modal.com:443";

  /** Small enough to be used up on a machine that has other things to do. */
  private static final Map<String, String> SMALL = Map.of("small_memory_mib", "128");

  private final @Nullable String tokenId = System.getenv("MESH_TCK_MODAL_TOKEN_ID");
  private final @Nullable String tokenSecret = System.getenv("MESH_TCK_MODAL_TOKEN_SECRET");
  private @Nullable ModalSimulator simulator;

  @Override
  protected Backend backend() {
    return ModalBackends.open(account(), SMALL);
  }

  private Map<String, String> account() {
    if (tokenId != null && tokenSecret != null) {
      return Map.of("token_id", tokenId, "token_secret", tokenSecret, "base_url", VENDOR);
    }
    var started = simulator();
    return Map.of(
        "token_id",
        started.tokenId(),
        "token_secret",
        started.tokenSecret(),
        "base_url",
        started.url());
  }

  private synchronized ModalSimulator simulator() {
    if (simulator == null) {
      try {
        simulator = ModalSimulator.start(0);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return simulator;
  }

  @Override
  protected synchronized void finish() {
    if (simulator != null) {
      simulator.close();
    }
  }
}
