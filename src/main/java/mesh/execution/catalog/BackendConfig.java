package mesh.execution.catalog;

import java.util.Map;
import java.util.Optional;

/**
 * Values for a {@link BackendDescriptor}'s fields by key, secrets decrypted, fallbacks filled in.
 * Prints its keys only.
 */
public record BackendConfig(Map<String, String> values) {

  public BackendConfig {
    values = Map.copyOf(values);
  }

  public Optional<String> find(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /** For a required field, or one with a fallback: validation has seen to it that it is there. */
  public String get(String key) {
    return find(key).orElseThrow(() -> new IllegalStateException("no value for " + key));
  }

  public boolean isOn(String toggle) {
    return find(toggle).map(Boolean::parseBoolean).orElse(false);
  }

  @Override
  public String toString() {
    return "BackendConfig" + values.keySet();
  }
}
