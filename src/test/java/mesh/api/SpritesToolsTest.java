package mesh.api;

import java.io.IOException;
import mesh.TestMesh;
import mesh.simulator.sprites.SpritesSimulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class SpritesToolsTest extends ToolsBehaviour {

  private static SpritesSimulator vendor;
  private static TestMesh mesh;

  @BeforeAll
  static void start() throws IOException {
    vendor = SpritesSimulator.start(0);
    mesh = TestMesh.start();
    Runtimes.onlySprites(mesh, vendor);
    mesh.admin().post("/api/agents", "{\"slug\":\"builder\",\"name\":\"Builder\"}").ok();
  }

  @AfterAll
  static void stop() {
    mesh.close();
    vendor.close();
  }

  @Override
  TestMesh mesh() {
    return mesh;
  }
}
