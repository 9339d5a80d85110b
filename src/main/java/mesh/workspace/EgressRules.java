package mesh.workspace;

import java.util.Optional;
import java.util.Set;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.DeclaredCapability;
import mesh.settings.AgentRuntimes;
import mesh.settings.EgressMode;
import mesh.settings.EgressUnreadable;
import mesh.settings.Uncontrolled;
import mesh.settings.WorkspaceEgress;
import mesh.tool.ToolRefusal;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Settles where a new sandbox may connect. Calls no vendor: a runtime that cannot keep an allowlist
 * is known as one by its type.
 */
@Component
class EgressRules {

  private final WorkspaceEgress settings;
  private final AgentRuntimes runtimes;

  EgressRules(WorkspaceEgress settings, AgentRuntimes runtimes) {
    this.settings = settings;
    this.runtimes = runtimes;
  }

  /**
   * What holds for a sandbox of a workspace on a runtime.
   *
   * @param kept what the workspace's row has from before; null if this is its first sandbox
   * @throws ToolRefusal.NotPossible if it may not be made there; nothing has been asked of anybody
   */
  Egress of(BackendName runtime, @Nullable String kept) {
    try {
      return kept == null ? fresh(runtime) : again(runtime, Egress.of(kept));
    } catch (EgressUnreadable | Egress.Malformed unreadable) {
      throw refusal(unreadable);
    }
  }

  /**
   * What was settled for a sandbox that may exist already.
   *
   * @throws ToolRefusal.NotPossible if the row's words make no sense
   */
  static Egress settled(String kept) {
    try {
      return Egress.of(kept);
    } catch (Egress.Malformed malformed) {
      throw refusal(malformed);
    }
  }

  private static ToolRefusal refusal(RuntimeException unreadable) {
    return new ToolRefusal.NotPossible(
        "egress_policy_unreadable", String.valueOf(unreadable.getMessage()));
  }

  private Egress fresh(BackendName runtime) {
    var setting = settings.current();
    return switch (setting.mode()) {
      case OPEN -> new Egress.Open(false);
      case ALLOWLIST -> restricted(runtime, Set.copyOf(settings.effective(setting)));
    };
  }

  /** The runtime may be another than the first time, or have been configured anew. */
  private Egress again(BackendName runtime, Egress kept) {
    return switch (kept) {
      case Egress.Open open -> open;
      case Egress.Allowlist(var domains, var _) -> restricted(runtime, domains);
    };
  }

  private Egress restricted(BackendName runtime, Set<String> domains) {
    var grade = grade(runtime);
    if (grade.isPresent()) {
      return new Egress.Allowlist(domains, grade.get());
    }
    if (settings.current().uncontrolled() == Uncontrolled.ALLOW) {
      return new Egress.Open(true);
    }
    throw new ToolRefusal.NotPossible(
        "egress_uncontrolled",
        "The runtime '%s' cannot restrict network access, and only listed hosts may be reached: an administrator must choose another runtime, or allow such runtimes under Settings, Workspace network access."
            .formatted(runtime));
  }

  /** Empty if the runtime cannot restrict. */
  private Optional<String> grade(BackendName runtime) {
    return runtimes.find(runtime.value()).stream()
        .flatMap(it -> it.capabilities().stream())
        .filter(it -> it.name().equals("egress_control") && it.present())
        .map(DeclaredCapability::grade)
        .findFirst();
  }

  /**
   * What a trial of a runtime goes by: as a workspace there would, and open where none could be.
   *
   * @throws EgressUnreadable if what is stored cannot be read
   */
  Egress ofTrial(BackendName runtime) {
    var setting = settings.current();
    return setting.mode() == EgressMode.ALLOWLIST
        ? grade(runtime)
            .<Egress>map(
                grade -> new Egress.Allowlist(Set.copyOf(settings.effective(setting)), grade))
            .orElse(new Egress.Open(true))
        : new Egress.Open(false);
  }
}
