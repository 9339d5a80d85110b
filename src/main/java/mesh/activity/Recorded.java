package mesh.activity;

import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry as it was written. What is null did not apply.
 *
 * @param actor the name; see {@code actorId} for who it was when names are alike
 * @param agent the slug
 * @param before JSON
 * @param after JSON
 */
public record Recorded(
    long id,
    Instant at,
    String actor,
    UUID actorId,
    String action,
    @Nullable String agent,
    @Nullable UUID run,
    @Nullable String connection,
    @JsonRawValue @Nullable String before,
    @JsonRawValue @Nullable String after) {}
