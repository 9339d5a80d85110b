package mesh.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import mesh.TestMesh;
import org.junit.jupiter.api.Test;

/** The OpenAPI document tells of every interface and of no page. */
class OpenApiTest {

  @Test
  void theDocumentNamesTheInterfacesAndNothingElse() {
    try (var mesh = TestMesh.start()) {
      var paths = mesh.admin().get("/v3/api-docs").ok().get("paths");

      var names = new ArrayList<String>();
      paths.propertyNames().forEach(names::add);
      assertThat(names)
          .containsAll(
              List.of(
                  "/api/agents",
                  "/api/agents/{slug}",
                  "/api/runs",
                  "/api/runs/{id}",
                  "/api/runs/{id}/steps",
                  "/api/runs/{id}/events",
                  "/api/runs/{id}/cancel",
                  "/api/workspaces",
                  "/api/workspaces/{id}",
                  "/api/workspaces/{id}/release",
                  "/api/artifacts/{id}",
                  "/api/settings/artifacts",
                  "/api/activity",
                  "/api/settings/agent-runtimes",
                  "/api/settings/agent-runtimes/{name}",
                  "/api/settings/agent-runtimes/{name}/test",
                  "/api/settings/webhooks",
                  "/api/settings/webhooks/{id}",
                  "/api/settings/webhooks/{id}/test",
                  "/api/settings/webhooks/{id}/rotate",
                  "/api/settings/webhooks/{id}/deliveries",
                  "/api/settings/webhooks/{id}/deliveries/{delivery}/redeliver",
                  "/api/agent/tools",
                  "/api/agent/tools/{name}",
                  "/api/agent/finish"))
          .allMatch(name -> name.startsWith("/api/"));
      assertThat(mesh.with("").get("/v3/api-docs").status()).isEqualTo(401);
    }
  }
}
