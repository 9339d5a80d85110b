package mesh.api;

import java.io.IOException;
import mesh.TestMesh;
import mesh.simulator.kubernetes.KubernetesSimulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class KubernetesToolsTest extends ToolsBehaviour {

  private static KubernetesSimulator vendor;
  private static TestMesh mesh;

  @BeforeAll
  static void start() throws IOException {
    vendor = KubernetesSimulator.start(0);
    mesh = TestMesh.start();
    Runtimes.onlyKubernetes(mesh, vendor);
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
