package mesh.settings;

import java.util.LinkedHashMap;
import java.util.Map;
import mesh.access.Operator;
import mesh.execution.catalog.DeclaredCapability;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Workspace network access for operators. */
@RestController
@RequestMapping("/api/settings/workspace-egress")
class EgressController {

  private final WorkspaceEgress egress;
  private final AgentRuntimes runtimes;

  EgressController(WorkspaceEgress egress, AgentRuntimes runtimes) {
    this.egress = egress;
    this.runtimes = runtimes;
  }

  @GetMapping
  Map<String, @Nullable Object> read() {
    try {
      return answer(egress.current());
    } catch (EgressUnreadable unreadable) {
      throw Problem.conflict("egress_policy_unreadable", String.valueOf(unreadable.getMessage()));
    }
  }

  @PutMapping
  Map<String, @Nullable Object> save(
      @RequestBody EgressChange change, @AuthenticationPrincipal Operator operator) {
    return answer(egress.save(change, operator.actor()));
  }

  private Map<String, @Nullable Object> answer(EgressSetting setting) {
    Map<String, @Nullable Object> answer = new LinkedHashMap<>(StoredEgress.told(setting));
    answer.put("builtin_domains", BuiltinHosts.all());
    answer.put("broker_host", egress.brokerHost().orElse(null));
    answer.put("effective_domains", egress.effective(setting));
    answer.put("backends", runtimes.all().stream().map(EgressController::backend).toList());
    return answer;
  }

  private static Backend backend(RuntimeSetting runtime) {
    DeclaredCapability control =
        runtime.capabilities().stream()
            .filter(it -> it.name().equals("egress_control") && it.present())
            .findFirst()
            .orElse(null);
    return control == null
        ? new Backend(runtime.descriptor().name().value(), runtime.enabled(), false, null, null)
        : new Backend(
            runtime.descriptor().name().value(),
            runtime.enabled(),
            true,
            control.grade(),
            control.staysOpen());
  }

  /**
   * Whether a runtime can keep an allowlist.
   *
   * @param grade {@code dns}, {@code sni}, {@code l7} or {@code kernel}; null if it cannot
   * @param staysOpen null if it cannot
   */
  record Backend(
      String name,
      boolean enabled,
      boolean controlsEgress,
      @Nullable String grade,
      @Nullable String staysOpen) {}
}
