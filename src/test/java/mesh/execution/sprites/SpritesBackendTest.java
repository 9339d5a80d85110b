package mesh.execution.sprites;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.Map;
import mesh.BesideOthers;
import mesh.execution.Backend;
import mesh.execution.BackendContract;
import mesh.execution.catalog.BackendConfig;
import mesh.simulator.sprites.SpritesSimulator;
import org.jspecify.annotations.Nullable;

/**
 * The contract on Sprites: a simulator, or the vendor itself when {@code MESH_TCK_SPRITES_TOKEN} is
 * in the environment.
 */
@BesideOthers
class SpritesBackendTest extends BackendContract {

  private static final String VENDOR = "https://api.sprites.dev";

  private final @Nullable String token = System.getenv("MESH_TCK_SPRITES_TOKEN");
  private @Nullable SpritesSimulator simulator;

  @Override
  protected Backend backend() {
    return new SpritesBackendProvider(new SecureRandom(), SpritesBackends.MARGIN)
        .open(new BackendConfig(account()));
  }

  private Map<String, String> account() {
    if (token != null) {
      return Map.of("token", token, "base_url", VENDOR);
    }
    var started = simulator();
    return Map.of("token", started.token(), "base_url", started.baseUrl());
  }

  private synchronized SpritesSimulator simulator() {
    if (simulator == null) {
      try {
        simulator = SpritesSimulator.start(0);
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
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
