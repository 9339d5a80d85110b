package mesh.api;

import mesh.TestMesh;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class LocalCredentialsTest extends CredentialBehaviour {

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
  int commandsAtOnce() {
    return 100;
  }

  @Override
  TestMesh mesh() {
    return mesh;
  }
}
