package mesh.api;

import mesh.TestMesh;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class LocalToolsTest extends ToolsBehaviour {

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
