package mesh.dashboard;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Option;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.RuntimeCatalog;
import mesh.settings.AgentRuntimes;
import mesh.settings.EnabledRuntime;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Runtimes as operators know them. */
@Component
class RuntimeNames {

  private final RuntimeCatalog catalog;
  private final AgentRuntimes runtimes;

  RuntimeNames(RuntimeCatalog catalog, AgentRuntimes runtimes) {
    this.catalog = catalog;
    this.runtimes = runtimes;
  }

  Optional<BackendDescriptor> find(String kind) {
    return catalog.find(new BackendName(kind));
  }

  /** The kind itself if this build no longer knows it. */
  String title(String kind) {
    return find(kind).map(BackendDescriptor::title).orElse(kind);
  }

  /** For agents without a pin; empty if no runtime is enabled. */
  Optional<String> first() {
    List<EnabledRuntime> enabled = runtimes.enabled();
    return enabled.isEmpty()
        ? Optional.empty()
        : Optional.of(title(enabled.getFirst().name().value()));
  }

  /**
   * What an agent may be pinned to: first nothing, then each that is enabled.
   *
   * @param chosen empty for nothing
   */
  List<Option> choices(String chosen) {
    List<Option> options = new ArrayList<>();
    options.add(
        new Option(
            "",
            "Instance default (%s)".formatted(VisibleText.line(used(null, first()))),
            chosen.isEmpty()));
    for (EnabledRuntime runtime : runtimes.enabled()) {
      String name = runtime.name().value();
      options.add(new Option(name, title(name), name.equals(chosen)));
    }
    return options;
  }

  /**
   * What an agent uses.
   *
   * @param pin null for whichever comes first
   * @param first what {@link #first} said, asked once for many agents
   */
  String used(@Nullable String pin, Optional<String> first) {
    return pin == null ? first.orElse("None is enabled") : title(pin);
  }
}
