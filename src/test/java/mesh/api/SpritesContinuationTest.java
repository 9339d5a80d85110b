package mesh.api;

import java.io.IOException;
import mesh.TestMesh;
import mesh.simulator.sprites.SpritesSimulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class SpritesContinuationTest extends ContinuationBehaviour {

  private static SpritesSimulator vendor;
  private static TestMesh mesh;

  @BeforeAll
  static void start() throws IOException {
    vendor = SpritesSimulator.start(0);
    mesh = TestMesh.start("mesh.workspaces.sweep-every=1s");
    Runtimes.onlySprites(mesh, vendor);
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

  @Override
  String runtime() {
    return "sprites";
  }

  @Override
  int sandboxes() {
    return vendor.sprites().size();
  }

  @Override
  void tamper(String file, String content) {
    Vendors.write(vendor, only(), "/home/sprite/project/" + file, content);
  }

  @Override
  void deleteAtVendor() {
    Vendors.delete(vendor, only());
  }

  private static String only() {
    var all = vendor.sprites().keySet();
    if (all.size() != 1) {
      throw new AssertionError("not one sandbox: " + all);
    }
    return all.iterator().next();
  }
}
