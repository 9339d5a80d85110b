package mesh.settings;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Map;
import mesh.secret.SealedText;

/** A row of {@code execution_backends}. */
record RuntimeRow(
    String name,
    boolean enabled,
    Map<String, String> config,
    Map<String, StoredSecret> secrets,
    long revision) {

  static RuntimeRow none(String name) {
    return new RuntimeRow(name, false, Map.of(), Map.of(), 0);
  }

  record StoredSecret(
      @JsonProperty("sealed") String sealed, @JsonProperty("set_at") Instant setAt) {

    SealedText text() {
      return new SealedText(sealed);
    }
  }
}
