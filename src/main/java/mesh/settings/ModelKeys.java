package mesh.settings;

import mesh.secret.Place;
import mesh.secret.SealedText;
import mesh.secret.Sealer;
import mesh.secret.Secret;
import org.springframework.stereotype.Component;

/** Seals the keys of connections: each for its connection, wire and address, and nothing else. */
@Component
class ModelKeys {

  private final Sealer sealer;

  ModelKeys(Sealer sealer) {
    this.sealer = sealer;
  }

  SealedText seal(Secret key, ModelRow row) {
    return sealer.seal(key, place(row));
  }

  /**
   * @throws mesh.secret.SealBroken if it was entered for another wire or address
   */
  Secret open(SealedText key, ModelRow row) {
    return sealer.open(key, place(row));
  }

  private static Place place(ModelRow row) {
    return new Place(
        "model_connections", "key", row.name(), row.wire().name() + "\n" + row.baseUrl());
  }
}
