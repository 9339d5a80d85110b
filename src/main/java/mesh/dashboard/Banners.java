package mesh.dashboard;

import java.util.List;
import mesh.dashboard.view.Banner;
import mesh.dashboard.view.Mark;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.RuntimeCatalog;
import mesh.settings.AgentRuntimes;
import mesh.settings.EnabledRuntime;
import org.springframework.stereotype.Component;

/** Finds what needs a person, whatever page is open. */
@Component
class Banners {

  private final AgentRuntimes runtimes;
  private final RuntimeCatalog catalog;

  Banners(AgentRuntimes runtimes, RuntimeCatalog catalog) {
    this.runtimes = runtimes;
    this.catalog = catalog;
  }

  List<Banner> current() {
    return runtimes.enabled().stream()
        .map(EnabledRuntime::name)
        .flatMap(name -> catalog.find(name).stream())
        .filter(descriptor -> !descriptor.warning().isBlank())
        .map(Banners::warning)
        .toList();
  }

  private static Banner warning(BackendDescriptor descriptor) {
    return new Banner(
        Mark.ATTENTION,
        "Runtime \"%s\" is enabled.".formatted(descriptor.title()),
        descriptor.warning());
  }
}
