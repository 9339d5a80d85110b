package mesh.api;

import mesh.TestMesh;
import mesh.simulator.sprites.SpritesSimulator;

/** Settings that tests share. */
final class Runtimes {

  private Runtimes() {}

  /** Work goes to the simulated vendor and nowhere else. */
  static void onlySprites(TestMesh mesh, SpritesSimulator vendor) {
    mesh.admin()
        .put(
            "/api/settings/agent-runtimes/sprites",
            "{\"enabled\":true,\"config\":{\"token\":\"%s\",\"base_url\":\"%s\"}}"
                .formatted(vendor.token(), vendor.baseUrl()))
        .ok();
    mesh.admin().put("/api/settings/agent-runtimes/local", "{\"enabled\":false}").ok();
  }
}
