package mesh.workspace;

import jakarta.annotation.PreDestroy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import mesh.execution.Backend;
import mesh.execution.BackendCatalog;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.ConfigField;
import mesh.settings.AgentRuntimes;
import mesh.settings.ConfiguredRuntime;
import org.springframework.stereotype.Component;

/**
 * Opened backends by name, whether enabled or not: what exists must stay releasable after it was
 * disabled. Reopened when its configuration changes; the old one stays open for what still uses it.
 */
@Component
class Backends {

  private final BackendCatalog catalog;
  private final AgentRuntimes runtimes;
  private final Map<BackendName, Opened> opened = new ConcurrentHashMap<>();
  private final List<Backend> superseded = new ArrayList<>();

  Backends(BackendCatalog catalog, AgentRuntimes runtimes) {
    this.catalog = catalog;
    this.runtimes = runtimes;
  }

  /**
   * Empty if this build has no such backend, or its configuration lacks what it needs, such as its
   * credential.
   */
  Optional<Backend> named(BackendName name) {
    return complete(name)
        .flatMap(configured -> {
          var known = opened.get(name);
          return known != null && known.revision == configured.revision()
              ? Optional.of(known.backend)
              : reopen(name);
        });
  }

  private synchronized Optional<Backend> reopen(BackendName name) {
    return complete(name)
        .flatMap(configured -> {
          var known = opened.get(name);
          if (known != null && known.revision == configured.revision()) {
            return Optional.of(known.backend);
          }
          var backend = catalog.open(name, configured.config());
          backend.ifPresent(fresh -> {
            opened.put(name, new Opened(configured.revision(), fresh));
            if (known != null) {
              superseded.add(known.backend);
            }
          });
          return backend;
        });
  }

  /** With a value for everything that is required. */
  private Optional<ConfiguredRuntime> complete(BackendName name) {
    return runtimes
        .config(name)
        .filter(configured ->
            catalog.find(name).stream()
                .flatMap(descriptor -> descriptor.fields().stream())
                .filter(ConfigField::required)
                .allMatch(field -> configured.config().find(field.key()).isPresent()));
  }

  @PreDestroy
  synchronized void close() {
    opened.values().forEach(open -> open.backend.close());
    superseded.forEach(Backend::close);
  }

  private record Opened(long revision, Backend backend) {}
}
