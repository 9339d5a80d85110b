package mesh.execution.modal;

import java.security.SecureRandom;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import mesh.execution.Backend;
import mesh.execution.catalog.BackendConfig;

/** Opens the adapter for code outside its package, such as measurements. */
public final class ModalBackends {

  private ModalBackends() {}

  public static Backend open(String baseUrl, String tokenId, String tokenSecret) {
    return open(
        Map.of("base_url", baseUrl, "token_id", tokenId, "token_secret", tokenSecret), Map.of());
  }

  /** As an operator has it who entered these values and no others. */
  static Backend open(Map<String, String> account, Map<String, String> more) {
    var values = new HashMap<>(account);
    values.putAll(more);
    return new ModalBackendProvider(new SecureRandom(), UUID::randomUUID, Clock.systemUTC())
        .open(new BackendConfig(values));
  }
}
