package mesh.execution.catalog;

import java.util.List;
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
 */
public record BackendDescriptor(
    BackendName name,
    int order,
    String title,
    String summary,
    Isolation isolation,
    String warning,
    List<ConfigField> fields) {

  public BackendDescriptor {
    fields = List.copyOf(fields);
  }

  public Optional<ConfigField> field(String key) {
    return fields.stream().filter(field -> field.key().equals(key)).findFirst();
  }
}
