package mesh.api;

import mesh.TestMesh;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class LocalBehaviourTest extends ObservableBehaviour {

  private static TestMesh mesh;

  @BeforeAll
  static void start() {
    mesh = TestMesh.start();
    mesh.admin().post("/api/agents", "{\"slug\":\"builder\",\"name\":\"Builder\"}").ok();
  }

  @AfterAll
  static void stop() {
    mesh.close();
  }

  @Override
  TestMesh mesh() {
    return mesh;
  }
}
