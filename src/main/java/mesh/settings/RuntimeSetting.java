package mesh.settings;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.ConfigField;
import mesh.execution.catalog.DeclaredCapability;

/**
 * A kind of backend as operators see it; holds no secret.
 *
 * @param configured whether every required field has a value
 * @param isDefault whether agents without a pin use it
 * @param values by field key, what was set; no fallbacks, no secrets
 * @param secrets by field key, when each stored secret was entered
 * @param capabilities all there are, each with whether this backend has it
 */
public record RuntimeSetting(
    BackendDescriptor descriptor,
    boolean enabled,
    boolean configured,
    boolean isDefault,
    Map<String, String> values,
    Map<String, Instant> secrets,
    List<DeclaredCapability> capabilities) {

  /** A field of this key is a backend's largest size, by convention of all adapters. */
  private static final String MAX_SIZE = "max_size";

  /** What a field is now, be it that nothing was set; empty for nothing, and for secrets. */
  public Optional<String> value(ConfigField field) {
    return Optional.ofNullable(values.get(field.key())).or(() -> RuntimeValues.fallback(field));
  }

  /** The largest workspace it offers; empty if its size is not for Mesh to choose. */
  public Optional<String> maxSize() {
    return descriptor.field(MAX_SIZE).flatMap(this::value);
  }
}
