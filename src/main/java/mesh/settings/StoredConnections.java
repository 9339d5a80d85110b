package mesh.settings;

import java.net.URI;
import java.util.Optional;
import mesh.inference.Connection;
import mesh.inference.Connections;
import org.springframework.stereotype.Component;

/** Connections with their keys, for models alone. */
@Component
class StoredConnections implements Connections {

  private final ModelRepository rows;
  private final ModelKeys keys;

  StoredConnections(ModelRepository rows, ModelKeys keys) {
    this.rows = rows;
    this.keys = keys;
  }

  /**
   * @throws mesh.secret.SealBroken if the key does not open: it must be entered again
   */
  @Override
  public Optional<Connection> find(String name) {
    return rows.find(name).map(this::connection);
  }

  private Connection connection(ModelRow row) {
    var key = row.key();
    return new Connection(
        row.name(),
        row.wire(),
        URI.create(row.baseUrl()),
        row.allowPrivate(),
        key == null ? null : keys.open(key, row),
        row.prices().stream().map(ModelPrice::counted).toList());
  }
}
