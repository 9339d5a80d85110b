package mesh.workspace;

import java.util.Locale;
import java.util.Optional;
import mesh.agent.Agents;
import mesh.execution.Capability;
import mesh.execution.Size;
import mesh.execution.catalog.BackendName;
import mesh.run.RunId;
import mesh.run.Runs;
import mesh.settings.AgentRuntimes;
import mesh.tool.ToolRefusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Decides where a run's new workspace goes: the agent's pin if it has one, else the first enabled
 * runtime in catalog order. A pin to a runtime that is not enabled is refused; nothing is ever
 * silently placed elsewhere.
 */
@Component
class Placement {

  private static final Logger log = LoggerFactory.getLogger(Placement.class);

  /**
   * What a workspace asks for before the operator's ceiling: the least, because one that runs out
   * of memory climbs to the next size by itself.
   */
  private static final Size WANTED = Size.SMALL;

  private final Runs runs;
  private final Agents agents;
  private final AgentRuntimes runtimes;
  private final WorkspaceRepository rows;

  Placement(Runs runs, Agents agents, AgentRuntimes runtimes, WorkspaceRepository rows) {
    this.runs = runs;
    this.agents = agents;
    this.runtimes = runtimes;
    this.rows = rows;
  }

  /**
   * Where, and how large.
   *
   * @throws ToolRefusal.NotPossible if no runtime is enabled or the pinned one is not
   */
  Placed place(RunId run) {
    var agent =
        agents.find(runs.find(run).orElseThrow(ToolRefusal.RunOver::new).agent()).orElseThrow();
    var enabled = runtimes.enabled();
    var pin = agent.runtimeBackend();
    if (pin != null) {
      return enabled.stream()
          .filter(runtime -> runtime.name().value().equals(pin))
          .findFirst()
          .map(runtime -> placed(runtime.name(), false))
          .orElseThrow(() ->
              new ToolRefusal.NotPossible(
                  "runtime_not_enabled",
                  "Agent '%s' is pinned to runtime '%s', which is not enabled: an operator must enable it under Settings, Agent runtimes, or change the agent's runtime."
                      .formatted(agent.slug(), pin)));
    }
    if (enabled.isEmpty()) {
      throw new ToolRefusal.NotPossible(
          "no_runtime_enabled",
          "No runtime is enabled: an operator must enable one under Settings, Agent runtimes.");
    }
    return placed(enabled.getFirst().name(), enabled.size() > 1);
  }

  private Placed placed(BackendName name, boolean implicit) {
    var ceiling = ceiling(name);
    return new Placed(name, WANTED.atMost(ceiling), ceiling, implicit);
  }

  /** The largest size that the operator allows there. */
  Size ceiling(BackendName name) {
    return runtimes
        .config(name)
        .flatMap(configured -> configured.config().find("max_size"))
        .map(size -> Size.valueOf(size.toUpperCase(Locale.ROOT)))
        .orElse(Size.XLARGE);
  }

  /** Why a run cannot have a workspace with this capability; empty if it can. No vendor call. */
  Optional<ToolRefusal.NotPossible> lacks(RunId run, Capability capability) {
    BackendName name;
    try {
      name = rows.backendOf(run).orElseGet(() -> place(run).backend());
    } catch (ToolRefusal.NotPossible refusal) {
      return Optional.of(refusal);
    }
    var wanted = capability.name().toLowerCase(Locale.ROOT);
    return runtimes.find(name.value()).stream()
        .flatMap(runtime -> runtime.capabilities().stream())
        .filter(declared -> declared.name().equals(wanted) && !declared.present())
        .findFirst()
        .map(declared ->
            new ToolRefusal.NotPossible(
                "tool_unavailable",
                "The runtime '%s' cannot do this. %s".formatted(name, declared.withoutIt())));
  }

  /** Whether credentials can be delivered there. No vendor call. */
  boolean takesCredentials(BackendName name) {
    return runtimes.find(name.value()).stream()
        .flatMap(runtime -> runtime.capabilities().stream())
        .anyMatch(declared -> declared.name().equals("shell") && declared.present());
  }

  /** Why a run can have no workspace at all; empty if it can. No vendor call. */
  Optional<ToolRefusal.NotPossible> impossible(RunId run) {
    if (rows.backendOf(run).isPresent()) {
      return Optional.empty();
    }
    try {
      var _ = place(run);
      return Optional.empty();
    } catch (ToolRefusal.NotPossible refusal) {
      return Optional.of(refusal);
    }
  }

  /**
   * A decision.
   *
   * @param ceiling the largest size that the operator allows there
   * @param implicit whether several runtimes were enabled and the agent named none
   */
  record Placed(BackendName backend, Size size, Size ceiling, boolean implicit) {

    /** Once per acquisition, where several were possible and nobody had chosen. */
    void log(RunId run) {
      if (implicit) {
        log.atInfo()
            .addKeyValue("run", run)
            .addKeyValue("runtime", backend)
            .log("unpinned agent placed on the default runtime");
      }
    }
  }
}
