package mesh.api;

import mesh.TestMesh;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class LocalRevocationTest extends RevocationBehaviour {

  private static TestMesh mesh;

  @BeforeAll
  static void start() {
    mesh = TestMesh.start();
  }

  @AfterAll
  static void stop() {
    mesh.close();
  }

  @Override
  TestMesh mesh() {
    return mesh;
  }

  @Override
  String runtime() {
    return "local";
  }
}
