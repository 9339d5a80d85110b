package mesh.api;

import java.time.Duration;
import java.util.Map;
import mesh.Await;
import mesh.TestMesh;
import mesh.TestMesh.Client;
import mesh.simulator.kubernetes.KubernetesSimulator;
import mesh.simulator.modal.ModalSimulator;
import mesh.simulator.sprites.SpritesSimulator;
import tools.jackson.databind.json.JsonMapper;

/** Settings that tests share. */
final class Runtimes {

  private Runtimes() {}

  /** Nothing of the first start's own run is left. */
  static void afterFirstRun(TestMesh mesh) {
    afterFirstRun(mesh.admin());
  }

  static void afterFirstRun(Client admin) {
    Await.until(
        Duration.ofMinutes(2),
        () -> admin.get("/api/workspaces").ok().get("workspaces"),
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

  /** As {@link #onlySprites(TestMesh, SpritesSimulator)}, elsewhere. */
  static void onlyModal(TestMesh mesh, ModalSimulator vendor) {
    only(
        mesh,
        "modal",
        Map.of(
            "token_id", vendor.tokenId(),
            "token_secret", vendor.tokenSecret(),
            "base_url", vendor.url()));
  }

  /** As {@link #onlySprites(TestMesh, SpritesSimulator)}, elsewhere. */
  static void onlyKubernetes(TestMesh mesh, KubernetesSimulator cluster) {
    only(mesh, "kubernetes", Map.of("kubeconfig", cluster.kubeconfig(), "namespace", "default"));
  }

  private static void only(TestMesh mesh, String runtime, Map<String, String> config) {
    afterFirstRun(mesh);
    var change = Map.of("enabled", true, "config", config);
    mesh.admin()
        .put("/api/settings/agent-runtimes/" + runtime, new JsonMapper().writeValueAsString(change))
        .ok();
    mesh.admin().put("/api/settings/agent-runtimes/local", "{\"enabled\":false}").ok();
  }
}
