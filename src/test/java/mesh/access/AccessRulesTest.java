package mesh.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import mesh.MeshRoutes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AccessRulesTest {

  /** From the classes themselves, so that no context has to start for a new one to be seen. */
  @Test
  void everyMappedAddressHasARule() {
    Set<String> unruled = new TreeSet<>();
    List<MeshRoutes.Route> routes = MeshRoutes.all();
    for (MeshRoutes.Route route : routes) {
      if (AccessRules.need(route.method(), route.path()).isEmpty()) {
        unruled.add(route.toString());
      }
    }

    assertThat(routes).extracting(MeshRoutes.Route::path).contains("/api/activity", "/setup");
    assertThat(unruled).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "GET,    /api/agent/tools,                 RUN",
    "POST,   /mcp,                             RUN",
    "GET,    /api/agents,                      VIEWER",
    "PATCH,  /api/agents/a,                    OPERATOR",
    "PUT,    /api/agents/a/credentials/github, OPERATOR",
    "GET,    /api/settings/agent-runtimes,     VIEWER",
    "POST,   /api/settings/agent-runtimes/sprites/test, ADMIN",
    "GET,    /api/access/tokens,               ADMIN",
    "POST,   /api/runs/7/cancel,               OPERATOR",
    "GET,    /actuator/health/readiness,       ANYONE",
    "GET,    /actuator/prometheus,             VIEWER",
    "GET,    /,                                VIEWER",
    "POST,   /settings/agent-runtimes,         ADMIN",
    "TRACE,  /api/runs,                        OPERATOR",
  })
  void theTableSaysWhoMay(String method, String path, Need need) {
    assertThat(AccessRules.need(method, path)).contains(need);
  }

  @ParameterizedTest
  @CsvSource({"/api/unknown", "/actuator/env", "/actuator/heapdump", "/api", "/unknown"})
  void whatHasNoRuleIsNobodys(String path) {
    assertThat(AccessRules.need("GET", path)).isEmpty();
  }

  @Test
  void anAgentsTokenMeetsNoOperatorsNeedAndNoneMeetsItsOwn() {
    RunCaller agent = new RunCaller(java.util.UUID.randomUUID(), java.util.UUID.randomUUID());
    Operator admin = new Operator(java.util.UUID.randomUUID(), "ann", Role.ADMIN);

    assertThat(Need.RUN.metBy(agent)).isTrue();
    assertThat(Need.VIEWER.metBy(agent)).isFalse();
    assertThat(Need.RUN.metBy(admin)).isFalse();
    assertThat(Need.ADMIN.metBy(admin)).isTrue();
    assertThat(Need.VIEWER.metBy(null)).isFalse();
  }
}
