package mesh.api;

import java.io.IOException;
import mesh.TestMesh;
import mesh.simulator.modal.ModalSimulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class ModalToolsTest extends ToolsBehaviour {

  private static ModalSimulator vendor;
  private static TestMesh mesh;

  @BeforeAll
  static void start() throws IOException {
    vendor = ModalSimulator.start(0);
    mesh = TestMesh.start();
    Runtimes.onlyModal(mesh, vendor);
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
