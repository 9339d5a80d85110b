package mesh.access;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Actors;
import mesh.activity.Entry;
import mesh.web.Cursor;
import mesh.web.Limit;
import mesh.web.Page;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** API tokens: what operators' programs call with. */
@Component
final class ApiTokens {

  private static final Duration LONGEST = Duration.ofDays(366);
  private static final int LONGEST_NAME = 100;

  /** A token just made: the row, and the text that nobody can be shown again. */
  record Made(ApiToken row, PlainToken text) {}

  private final ApiTokenRepository rows;
  private final Actors actors;
  private final Activity activity;
  private final TransactionTemplate transactions;
  private final Supplier<UUID> ids;
  private final SecureRandom random;
  private final Clock clock;

  ApiTokens(
      ApiTokenRepository rows,
      Actors actors,
      Activity activity,
      TransactionTemplate transactions,
      Supplier<UUID> ids,
      SecureRandom random,
      Clock clock) {
    this.rows = rows;
    this.actors = actors;
    this.activity = activity;
    this.transactions = transactions;
    this.ids = ids;
    this.random = random;
    this.clock = clock;
  }

  PlainToken mint() {
    return TokenKind.API.mint(random);
  }

  /**
   * @throws Problem 400 {@code arguments_invalid}, 403 if the role is above the maker's
   */
  Made make(Operator by, String name, Role role, @Nullable Instant expires) {
    if (name.isBlank() || name.length() > LONGEST_NAME) {
      throw Problem.badRequest(
              "arguments_invalid", "/name must be 1 to %d characters.".formatted(LONGEST_NAME))
          .with("pointer", "/name");
    }
    Instant now = clock.instant();
    if (expires != null && (!expires.isAfter(now) || expires.isAfter(now.plus(LONGEST)))) {
      throw Problem.badRequest(
              "arguments_invalid", "/expires_at must be in the future and within a year.")
          .with("pointer", "/expires_at");
    }
    if (!by.role().covers(role)) {
      throw Problem.forbidden("role_insufficient", "A token cannot have a role above yours.");
    }
    PlainToken text = mint();
    return transactions.execute(
        _ -> new Made(insert(by.actor(), name.strip(), role, expires, text), text));
  }

  /** Writes the row and its audit entry; must be called in a transaction. */
  ApiToken insert(ActorId by, String name, Role role, @Nullable Instant expires, PlainToken text) {
    UUID id = ids.get();
    ActorId holder = actors.addToken(name);
    rows.insert(id, holder, name, TokenKind.sha256(text.reveal()), role, by, expires);
    activity.record(
        Entry.of(by, "token.created")
            .connection(name)
            .after(Map.of("id", id, "name", name, "role", Roles.word(role))));
    return rows.find(id).orElseThrow();
  }

  /** Ends a token from its next call on. False if there is no such token. */
  boolean revoke(Operator by, UUID id) {
    return Boolean.TRUE.equals(
        transactions.execute(_ ->
            rows.revoke(id)
                .map(name -> {
                  activity.record(
                      Entry.of(by.actor(), "token.revoked")
                          .connection(name)
                          .before(Map.of("id", id, "name", name)));
                  return true;
                })
                .orElse(false)));
  }

  /** Those that can be used, newest first. */
  Page<ApiToken> newest(@Nullable Cursor cursor, Limit limit) {
    return Page.of(
        cursor == null
            ? rows.newest(limit.toFetch())
            : rows.newestAfter(cursor.at(), cursor.uuid(), limit.toFetch()),
        limit,
        token -> Cursor.after(token.createdAt(), token.id()));
  }

  /**
   * @throws Problem 401 {@code token_invalid}: unknown, revoked or expired, which callers are not
   *     told apart
   */
  Operator holder(String text) {
    ApiTokenRepository.Holder holder =
        TokenKind.API
            .hash(text)
            .flatMap(rows::holder)
            .orElseThrow(() ->
                Problem.unauthorized(
                    "token_invalid", "This token is unknown, revoked or expired."));
    if (!holder.usedThisMinute()) {
      rows.used(holder.id());
    }
    return holder.operator();
  }
}
