package mesh.settings;

import static java.util.stream.Collectors.toMap;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import mesh.activity.ActorId;
import mesh.agent.Agents;
import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.ConfigField;
import mesh.execution.catalog.RuntimeCatalog;
import mesh.web.Problem;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The backends workspaces may use: which are enabled, how they are configured, and changes. */
@Service
public class AgentRuntimes {

  private final RuntimeCatalog catalog;
  private final RuntimeRepository rows;
  private final RuntimeForm form;
  private final RuntimeAudit audit;
  private final EgressLimits egress;
  private final Agents agents;

  AgentRuntimes(
      RuntimeCatalog catalog,
      RuntimeRepository rows,
      RuntimeForm form,
      RuntimeAudit audit,
      EgressLimits egress,
      Agents agents) {
    this.catalog = catalog;
    this.rows = rows;
    this.form = form;
    this.audit = audit;
    this.egress = egress;
    this.agents = agents;
  }

  /** In catalog order: the first is the one for agents without a pin. */
  public List<EnabledRuntime> enabled() {
    Map<String, RuntimeRow> known = byName();
    return catalog.descriptors().stream()
        .map(descriptor -> row(known, descriptor))
        .filter(RuntimeRow::enabled)
        .map(row -> new EnabledRuntime(new BackendName(row.name()), row.revision()))
        .toList();
  }

  /**
   * The configuration to open a backend with, also of one that is disabled: what it made must still
   * be released. Empty if nobody ever configured it or this build does not know it.
   *
   * @throws mesh.secret.SealBroken if a secret cannot be decrypted
   */
  public Optional<ConfiguredRuntime> config(BackendName name) {
    return catalog
        .find(name)
        .flatMap(descriptor ->
            rows.find(name.value())
                .map(row ->
                    new ConfiguredRuntime(
                        name,
                        row.enabled(),
                        new BackendConfig(form.opened(descriptor, row)),
                        row.revision())));
  }

  /** Every backend of the catalog, in its order. */
  public List<RuntimeSetting> all() {
    Map<String, RuntimeRow> known = byName();
    List<RuntimeSetting> settings = new ArrayList<>();
    boolean defaultSeen = false;
    for (BackendDescriptor descriptor : catalog.descriptors()) {
      RuntimeRow row = row(known, descriptor);
      settings.add(setting(descriptor, row, row.enabled() && !defaultSeen));
      defaultSeen |= row.enabled();
    }
    return settings;
  }

  /** Empty if this build does not know it. */
  public Optional<RuntimeSetting> find(String name) {
    return all().stream().filter(it -> it.descriptor().name().value().equals(name)).findFirst();
  }

  /**
   * Changes a backend's row; disabling ends the pins to it in the same transaction. A change that
   * changes nothing leaves no trace.
   *
   * @throws Problem 404 {@code runtime_unknown}; 400 if the descriptor does not allow it; 409 if
   *     the vendor would not take the egress policy
   */
  @Transactional
  public SavedRuntime save(String name, RuntimeChange change, ActorId actor) {
    BackendDescriptor descriptor = descriptor(name);
    rows.insert(name, actor);
    List<String> reset = apply(descriptor, change, actor);
    return new SavedRuntime(find(name).orElseThrow(), reset);
  }

  /**
   * Gives a backend its first row. False, and nothing is changed, if there is one already: an
   * operator's word stands.
   */
  @Transactional
  boolean begin(BackendDescriptor descriptor, RuntimeChange change) {
    if (!rows.insert(descriptor.name().value(), ActorId.SYSTEM)) {
      return false;
    }
    apply(descriptor, change, ActorId.SYSTEM);
    return true;
  }

  private List<String> apply(BackendDescriptor descriptor, RuntimeChange change, ActorId actor) {
    String name = descriptor.name().value();
    RuntimeRow before = rows.lock(name);
    RuntimeRow after = form.apply(descriptor, before, change);
    if (after.equals(before)) {
      return List.of();
    }
    if (after.enabled()) {
      egress.demandThatTakes(descriptor, after);
    }
    rows.update(after, actor);
    List<String> reset =
        before.enabled() && !after.enabled() ? agents.clearPins(name, actor) : List.of();
    audit.record(before, after, reset, actor);
    return reset;
  }

  private BackendDescriptor descriptor(String name) {
    return catalog.descriptors().stream()
        .filter(descriptor -> descriptor.name().value().equals(name))
        .findFirst()
        .orElseThrow(
            () -> Problem.notFound("runtime_unknown", "There is no runtime of that name."));
  }

  private Map<String, RuntimeRow> byName() {
    return rows.all().stream().collect(toMap(RuntimeRow::name, Function.identity()));
  }

  private static RuntimeRow row(Map<String, RuntimeRow> known, BackendDescriptor descriptor) {
    String name = descriptor.name().value();
    return known.getOrDefault(name, RuntimeRow.none(name));
  }

  private RuntimeSetting setting(BackendDescriptor descriptor, RuntimeRow row, boolean isDefault) {
    Map<String, String> values = new LinkedHashMap<>();
    Map<String, Instant> secrets = new LinkedHashMap<>();
    for (ConfigField field : descriptor.fields()) {
      Optional.ofNullable(row.config().get(field.key()))
          .ifPresent(value -> values.put(field.key(), value));
      Optional.ofNullable(row.secrets().get(field.key()))
          .ifPresent(stored -> secrets.put(field.key(), stored.setAt()));
    }
    BackendConfig config = new BackendConfig(RuntimeValues.effective(descriptor, row.config()));
    return new RuntimeSetting(
        descriptor,
        row.enabled(),
        RuntimeValues.missing(descriptor, values, secrets.keySet()).isEmpty(),
        isDefault,
        values,
        secrets,
        catalog.capabilities(descriptor.name(), config));
  }
}
