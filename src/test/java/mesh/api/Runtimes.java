package mesh.api;

import java.time.Duration;
import mesh.Await;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import mesh.simulator.sprites.SpritesSimulator;

/** Settings that tests share. */
final class Runtimes {

  private Runtimes() {}

  /** Nothing of the first start's own run is left. */
  static void afterFirstRun(TestMesh mesh) {
    Await.until(
        Duration.ofMinutes(2),
        () -> mesh.admin().get("/api/workspaces").ok().get("workspaces"),
        all -> !all.isEmpty() && all.get(0).get("status").asString().equals("released"));
  }

  /** Work goes to the simulated vendor and nowhere else; the first run is over by then. */
  static void onlySprites(TestMesh mesh, SpritesSimulator vendor) {
    afterFirstRun(mesh);
    onlySprites(mesh.admin(), vendor);
  }

  /** As {@link #onlySprites(TestMesh, SpritesSimulator)}, whatever the first run is at. */
  static void onlySprites(Client admin, SpritesSimulator vendor) {
    admin
        .put(
            "/api/settings/agent-runtimes/sprites",
            "{\"enabled\":true,\"config\":{\"token\":\"%s\",\"base_url\":\"%s\"}}"
                .formatted(vendor.token(), vendor.baseUrl()))
        .ok();
    admin.put("/api/settings/agent-runtimes/local", "{\"enabled\":false}").ok();
  }
}
