package mesh.settings;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.RuntimeCatalog;
import mesh.web.Problem;
import org.springframework.stereotype.Component;

/**
 * Whether a vendor would take a policy. Asked when the policy is saved and when a runtime is
 * enabled, not first when a run wants a workspace.
 */
@Component
class EgressLimits {

  private final RuntimeCatalog catalog;
  private final RuntimeRepository rows;
  private final EgressRepository policies;
  private final BrokerHost broker;

  EgressLimits(
      RuntimeCatalog catalog,
      RuntimeRepository rows,
      EgressRepository policies,
      BrokerHost broker) {
    this.catalog = catalog;
    this.rows = rows;
    this.policies = policies;
    this.broker = broker;
  }

  /** What workspaces may reach under a policy that is an allowlist, in alphabetical order. */
  List<String> effective(EgressSetting setting) {
    return Stream.of(BuiltinHosts.all(), setting.domains(), broker.domain().stream().toList())
        .flatMap(List::stream)
        .sorted()
        .distinct()
        .toList();
  }

  /**
   * @throws Problem 400 {@code egress_too_many_domains} if an enabled runtime takes fewer
   */
  void demandThatEnabledTake(EgressSetting setting) {
    for (BackendDescriptor descriptor : catalog.descriptors()) {
      rows.find(descriptor.name().value())
          .filter(RuntimeRow::enabled)
          .flatMap(row -> excess(descriptor, row, setting))
          .ifPresent(sentence -> {
            throw Problem.badRequest("egress_too_many_domains", sentence)
                .with("runtime", descriptor.name().value());
          });
    }
  }

  /**
   * @throws Problem 409 {@code egress_too_many_domains} if the runtime takes fewer than there are
   */
  void demandThatTakes(BackendDescriptor descriptor, RuntimeRow row) {
    Optional<EgressSetting> stored = policies.find().flatMap(EgressLimits::readable);
    stored
        .flatMap(setting -> excess(descriptor, row, setting))
        .ifPresent(sentence -> {
          throw Problem.conflict("egress_too_many_domains", sentence);
        });
  }

  /** One that cannot be read holds up workspaces by itself, and no settings. */
  private static Optional<EgressSetting> readable(String stored) {
    try {
      return Optional.of(StoredEgress.read(stored));
    } catch (EgressUnreadable unreadable) {
      return Optional.empty();
    }
  }

  private Optional<String> excess(
      BackendDescriptor descriptor, RuntimeRow row, EgressSetting setting) {
    if (setting.mode() == EgressMode.OPEN) {
      return Optional.empty();
    }
    int length = effective(setting).size();
    int own = setting.domains().size();
    BackendConfig config = new BackendConfig(RuntimeValues.effective(descriptor, row.config()));
    return catalog
        .egress(descriptor.name(), config)
        .filter(egress -> length > egress.mostDomains())
        .map(egress ->
            "%s takes at most %d domains, and this list has %d: %d of yours and %d built-in ones. Remove %d, or join several into one wildcard."
                .formatted(
                    descriptor.title(),
                    egress.mostDomains(),
                    length,
                    own,
                    length - own,
                    length - egress.mostDomains()));
  }
}
