package mesh.credential;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Whether an agent's own credential for a provider may be delivered into its sandboxes.
 *
 * @param revision rises by one with each change of this or of the credential
 * @param updatedBy the name of whoever changed it last; null if nobody did
 */
public record Permission(
    Provider provider,
    boolean enabled,
    long revision,
    Source source,
    Instant updatedAt,
    @Nullable String updatedBy) {

  /** Who decided. */
  public enum Source {
    /** Nobody: on for the agent's own credential. */
    AUTOMATIC,
    /** An operator. */
    EXPLICIT,
    /** It was taken over from before there were revisions, and stays as it was. */
    LEGACY_MIGRATION;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Source of(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }
}
