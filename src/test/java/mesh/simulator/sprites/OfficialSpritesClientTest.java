package mesh.simulator.sprites;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import mesh.simulator.OfficialClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The vendor's own published client drives the simulator. */
class OfficialSpritesClientTest {

  private static final List<String> PACKAGES = List.of("@fly/sprites@0.1.0", "ws@8", "node@24");

  @Test
  void passesEveryStep(@TempDir Path temporary) throws Exception {
    var client =
        OfficialClient.install("the official Sprites client", "sprites", temporary, PACKAGES);

    try (var vendor = SpritesSimulator.start(0)) {
      vendor.mode(Mode.SDK_FRIENDLY);
      client.passes(22, Map.of("BASE", vendor.baseUrl()));
    }
  }
}
