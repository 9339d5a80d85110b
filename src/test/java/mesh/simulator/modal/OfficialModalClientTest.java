package mesh.simulator.modal;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import mesh.simulator.OfficialClient;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The vendor's own published client drives the simulator. */
class OfficialModalClientTest {

  /** Without a version npm has another package of that name. */
  private static final List<String> PACKAGES = List.of("modal@0.11.1");

  @ParameterizedTest(name = "MODAL_SANDBOX_V2={0}")
  @ValueSource(strings = {"1", "0"})
  void passesEveryStep(String second, @TempDir Path temporary) throws Exception {
    var client = OfficialClient.install("the official Modal client", "modal", temporary, PACKAGES);

    try (var vendor = ModalSimulator.start(0)) {
      client.passes(
          21,
          Map.of(
              "MODAL_SERVER_URL",
              vendor.url(),
              "MODAL_TOKEN_ID",
              vendor.tokenId(),
              "MODAL_TOKEN_SECRET",
              vendor.tokenSecret(),
              "MODAL_CONFIG_PATH",
              "/nonexistent",
              "MODAL_SANDBOX_V2",
              second));
    }
  }
}
