package mesh.settings;

import java.util.List;
import mesh.inference.Connection.Wire;
import mesh.secret.SealedText;
import mesh.settings.ModelSetting.KeySet;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code model_connections}.
 *
 * @param key null for a service that wants none
 * @param keySet null without a key, and before it is stored
 */
record ModelRow(
    String name,
    Wire wire,
    String baseUrl,
    @Nullable SealedText key,
    @Nullable KeySet keySet,
    boolean allowPrivate,
    List<ModelPrice> prices) {

  ModelRow {
    prices = List.copyOf(prices);
  }

  ModelRow with(@Nullable SealedText newKey) {
    return new ModelRow(name, wire, baseUrl, newKey, null, allowPrivate, prices);
  }

  /** Whether a key of one may be sent where the other says. */
  boolean goesWhere(ModelRow other) {
    return wire == other.wire && baseUrl.equals(other.baseUrl);
  }
}
