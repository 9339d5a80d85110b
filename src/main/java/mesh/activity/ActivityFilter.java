package mesh.activity;

import java.time.Instant;
import java.util.UUID;
import mesh.web.Cursor;
import org.jspecify.annotations.Nullable;

/**
 * Which entries are wanted. What is null is not asked for, as with parameters that a caller left
 * out.
 *
 * @param agent a slug or id
 * @param actor a name or id
 * @param action all of it, or its noun: {@code token} finds {@code token.created} and {@code
 *     token.revoked}
 * @param since the earliest time
 * @param cursor where the page begins
 */
public record ActivityFilter(
    @Nullable String agent,
    @Nullable UUID run,
    @Nullable String actor,
    @Nullable String action,
    @Nullable Instant since,
    @Nullable Cursor cursor) {

  public static final ActivityFilter ALL = new ActivityFilter(null, null, null, null, null, null);

  /** The same entries from there on. */
  ActivityFilter from(Cursor start) {
    return new ActivityFilter(agent, run, actor, action, since, start);
  }
}
