package mesh.settings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.ConfigField;
import mesh.secret.Place;

/** What follows from a descriptor and the values that were set. */
final class RuntimeValues {

  private RuntimeValues() {}

  /** What a field is when nothing was set; empty if nothing then. */
  static Optional<String> fallback(ConfigField field) {
    String value =
        switch (field) {
          case ConfigField.Text text -> text.fallback();
          case ConfigField.Address address -> address.fallback();
          case ConfigField.Choice choice -> choice.fallback();
          case ConfigField.Secret _ -> "";
          case ConfigField.Toggle _ -> "false";
        };
    return value.isEmpty() ? Optional.empty() : Optional.of(value);
  }

  /** The values of this descriptor's fields, fallbacks filled in; no secrets. */
  static Map<String, String> effective(BackendDescriptor descriptor, Map<String, String> set) {
    Map<String, String> values = new LinkedHashMap<>();
    for (ConfigField field : descriptor.fields()) {
      Optional.ofNullable(set.get(field.key()))
          .or(() -> fallback(field))
          .ifPresent(value -> values.put(field.key(), value));
    }
    return values;
  }

  /** Keys of required fields that have no value. */
  static List<String> missing(
      BackendDescriptor descriptor, Map<String, String> set, Set<String> secrets) {
    List<String> missing = new ArrayList<>();
    Map<String, String> values = effective(descriptor, set);
    for (ConfigField field : descriptor.fields()) {
      boolean there =
          field instanceof ConfigField.Secret
              ? secrets.contains(field.key())
              : values.containsKey(field.key());
      if (field.required() && !there) {
        missing.add(field.key());
      }
    }
    return missing;
  }

  /**
   * Where a secret belongs: to its field, and to the addresses it may be sent to. Once one of those
   * changes, it does not open any more.
   */
  static Place place(BackendDescriptor descriptor, String field, Map<String, String> set) {
    Map<String, String> values = effective(descriptor, set);
    StringBuilder addresses = new StringBuilder();
    for (ConfigField candidate : descriptor.fields()) {
      if (candidate instanceof ConfigField.Address) {
        addresses
            .append(candidate.key())
            .append('=')
            .append(values.getOrDefault(candidate.key(), ""))
            .append('\n');
      }
    }
    return new Place(
        "execution_backends", "secrets", descriptor.name() + "/" + field, addresses.toString());
  }
}
