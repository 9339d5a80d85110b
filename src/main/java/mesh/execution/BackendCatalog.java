package mesh.execution;

import static java.util.Comparator.comparingInt;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.DeclaredCapability;
import mesh.execution.catalog.DeclaredEgress;
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
    var egress = egress(name, config);
    return Arrays.stream(Capability.values())
        .map(capability -> declared(capability, present.has(capability), egress))
        .toList();
  }

  private static DeclaredCapability declared(
      Capability capability, boolean present, Optional<DeclaredEgress> egress) {
    var graded = egress.filter(_ -> capability == Capability.EGRESS_CONTROL);
    return new DeclaredCapability(
        capability.name().toLowerCase(Locale.ROOT),
        present,
        capability.withIt(),
        capability.withoutIt(),
        graded.map(DeclaredEgress::grade).orElse(""),
        graded.map(DeclaredEgress::staysOpen).orElse(""));
  }

  @Override
  public Optional<DeclaredEgress> egress(BackendName name, BackendConfig config) {
    return Optional.ofNullable(providers.get(name))
        .map(provider -> provider.typeFor(config))
        .filter(Capability.EGRESS_CONTROL::isOf)
        .map(type -> type.getAnnotation(EgressGrade.class))
        .map(grade ->
            new DeclaredEgress(
                grade.value().name().toLowerCase(Locale.ROOT),
                grade.staysOpen(),
                grade.mostDomains()));
  }

  /** Empty if a row names a backend this build no longer has. */
  public Optional<Backend> open(BackendName name, BackendConfig config) {
    return Optional.ofNullable(providers.get(name)).map(provider -> provider.open(config));
  }
}
