package mesh.execution;

import static java.util.Comparator.comparingInt;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.DeclaredCapability;
import mesh.execution.catalog.RuntimeCatalog;
import org.springframework.stereotype.Component;

/**
 * Every kind of backend this build knows, in catalog order ({@link BackendDescriptor#order()}): the
 * order of settings pages and of the default for agents without a pin.
 */
@Component
public class BackendCatalog implements RuntimeCatalog {

  private final Map<BackendName, BackendProvider> providers = new LinkedHashMap<>();

  public BackendCatalog(List<BackendProvider> providers) {
    providers.stream()
        .sorted(comparingInt(provider -> provider.descriptor().order()))
        .forEach(provider -> {
          if (this.providers.put(provider.descriptor().name(), provider) != null) {
            throw new IllegalStateException("two backends named " + provider.descriptor().name());
          }
        });
  }

  @Override
  public List<BackendDescriptor> descriptors() {
    return providers.values().stream().map(BackendProvider::descriptor).toList();
  }

  @Override
  public List<DeclaredCapability> capabilities(BackendName name, BackendConfig config) {
    var provider = providers.get(name);
    if (provider == null) {
      return List.of();
    }
    var present = Capabilities.of(provider.typeFor(config));
    return Arrays.stream(Capability.values())
        .map(capability ->
            new DeclaredCapability(
                capability.name().toLowerCase(java.util.Locale.ROOT),
                present.has(capability),
                capability.withIt(),
                capability.withoutIt()))
        .toList();
  }

  /** Empty if a row names a backend this build no longer has. */
  public Optional<Backend> open(BackendName name, BackendConfig config) {
    return Optional.ofNullable(providers.get(name)).map(provider -> provider.open(config));
  }
}
