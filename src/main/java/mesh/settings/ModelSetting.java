package mesh.settings;

import java.time.Instant;
import java.util.List;
import mesh.inference.Connection.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A connection as an operator may see it: without its key.
 *
 * @param key null if none is set
 * @param allowPrivate whether this machine or a private network is meant
 * @param agents slugs of those whose model is there, in alphabetical order
 */
public record ModelSetting(
    String name,
    Wire wire,
    String baseUrl,
    @Nullable KeySet key,
    boolean allowPrivate,
    List<ModelPrice> prices,
    List<String> agents) {

  public ModelSetting {
    prices = List.copyOf(prices);
    agents = List.copyOf(agents);
  }

  /** When the key was entered, and by whom. */
  public record KeySet(Instant at, String by) {}

  static ModelSetting of(ModelRow row, List<String> agents) {
    return new ModelSetting(
        row.name(),
        row.wire(),
        row.baseUrl(),
        row.keySet(),
        row.allowPrivate(),
        row.prices(),
        agents);
  }
}
