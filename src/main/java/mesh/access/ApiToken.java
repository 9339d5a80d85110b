package mesh.access;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An API token as it is listed.
 *
 * @param lastUsedAt rounded to the minute; null if it never was
 * @param expiresAt null if it does not
 */
record ApiToken(
    UUID id,
    String name,
    Role role,
    @Nullable String createdBy,
    Instant createdAt,
    @Nullable Instant lastUsedAt,
    @Nullable Instant expiresAt) {}
