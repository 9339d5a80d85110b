package mesh.workspace;

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
   * What a workspace asks for before the operator's ceiling. Has headroom for builds until running
   * out of memory climbs to the next size by itself.
   */
  private static final Size WANTED = Size.LARGE;

  private final Runs runs;
  private final Agents agents;
  private final AgentRuntimes runtimes;

  Placement(Runs runs, Agents agents, AgentRuntimes runtimes) {
    this.runs = runs;
    this.agents = agents;
    this.runtimes = runtimes;
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
          .map(runtime -> placed(runtime.name()))
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
    var first = enabled.getFirst().name();
    if (enabled.size() > 1) {
      log.atInfo()
          .addKeyValue("run", run)
          .addKeyValue("agent", agent.slug())
          .addKeyValue("runtime", first)
          .addKeyValue("enabled", enabled.size())
          .log("unpinned agent placed on the default runtime");
    }
    return placed(first);
  }

  private Placed placed(BackendName name) {
    return new Placed(name, WANTED.atMost(ceiling(name)));
  }

  private Size ceiling(BackendName name) {
    return runtimes
        .config(name)
        .flatMap(configured -> configured.config().find("max_size"))
        .map(size -> Size.valueOf(size.toUpperCase(java.util.Locale.ROOT)))
        .orElse(Size.XLARGE);
  }

  /** Why a run cannot have a workspace with this capability; empty if it can. No vendor call. */
  Optional<String> lacks(RunId run, Capability capability, Optional<BackendName> placed) {
    BackendName name;
    try {
      name = placed.orElseGet(() -> place(run).backend());
    } catch (ToolRefusal refusal) {
      return Optional.of(refusal.sentence());
    }
    return runtimes.find(name.value()).stream()
        .flatMap(runtime -> runtime.capabilities().stream())
        .filter(declared ->
            declared.name().equals(capability.name().toLowerCase(java.util.Locale.ROOT)))
        .filter(declared -> !declared.present())
        .findFirst()
        .map(declared ->
            "The runtime '%s' cannot do this. %s".formatted(name, declared.withoutIt()));
  }

  /** Why a run can have no workspace at all; empty if it can. No vendor call. */
  Optional<String> impossible(RunId run) {
    try {
      var _ = place(run);
      return Optional.empty();
    } catch (ToolRefusal refusal) {
      return Optional.of(refusal.sentence());
    }
  }

  record Placed(BackendName backend, Size size) {}
}
