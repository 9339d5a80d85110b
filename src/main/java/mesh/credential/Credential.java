package mesh.credential;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What may be told about an agent's credential for a provider: everything but the token.
 *
 * @param account null if none is set
 * @param setAt null if none is set
 * @param setBy the name of whoever set it; null if none is set
 * @param trouble why it cannot be used although it is set, and what to do; null if all is well
 */
public record Credential(
    Provider provider,
    Permission permission,
    @Nullable Account account,
    @Nullable Instant setAt,
    @Nullable String setBy,
    @Nullable String trouble) {

  public boolean isSet() {
    return account != null;
  }
}
