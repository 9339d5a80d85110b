package mesh.execution.catalog;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How a kind of backend introduces itself to the settings page.
 *
 * @param order its place in the catalog; lower comes first
 * @param title shown to operators
 * @param summary one sentence
 * @param isolation what separates its sandboxes
 * @param warning what an operator must know before enabling it; empty if nothing
 * @param fields the settings form, in order
 * @param claims names of environment variables and the field each one fills: a server that is
 *     started with all of them enables the backend, once and unless an operator was first
 * @param enabledOnFirstStart whether a new installation begins with it enabled; only for one that
 *     needs no configuration
 */
public record BackendDescriptor(
    BackendName name,
    int order,
    String title,
    String summary,
    Isolation isolation,
    String warning,
    List<ConfigField> fields,
    Map<String, String> claims,
    boolean enabledOnFirstStart) {

  public BackendDescriptor {
    fields = List.copyOf(fields);
    claims = Map.copyOf(claims);
    for (String key : claims.values()) {
      if (fields.stream().noneMatch(field -> field.key().equals(key))) {
        throw new IllegalArgumentException("a claim of %s fills no field: %s".formatted(name, key));
      }
    }
  }

  /** One that only an operator enables. */
  public BackendDescriptor(
      BackendName name,
      int order,
      String title,
      String summary,
      Isolation isolation,
      String warning,
      List<ConfigField> fields) {
    this(name, order, title, summary, isolation, warning, fields, Map.of(), false);
  }

  public Optional<ConfigField> field(String key) {
    return fields.stream().filter(field -> field.key().equals(key)).findFirst();
  }
}
