package mesh.access;

import java.security.SecureRandom;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Actors;
import mesh.activity.Entry;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** The first admin is made by whoever holds the one-time link, and by nobody afterwards. */
@Component
final class Setup {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._@-]{0,63}");

  private final SetupRepository setup;
  private final SetupState state;
  private final UserRepository users;
  private final Actors actors;
  private final Activity activity;
  private final Passwords passwords;
  private final TransactionTemplate transactions;
  private final Supplier<UUID> ids;
  private final SecureRandom random;

  Setup(
      SetupRepository setup,
      SetupState state,
      UserRepository users,
      Actors actors,
      Activity activity,
      Passwords passwords,
      TransactionTemplate transactions,
      Supplier<UUID> ids,
      SecureRandom random) {
    this.setup = setup;
    this.state = state;
    this.users = users;
    this.actors = actors;
    this.activity = activity;
    this.passwords = passwords;
    this.transactions = transactions;
    this.ids = ids;
    this.random = random;
  }

  /**
   * A new one-time token, valid for an hour, in place of any before; empty once there are people.
   */
  Optional<PlainToken> open() {
    PlainToken token = new PlainToken(TokenKind.randomText(random));
    return setup.open(TokenKind.sha256(token.reveal())) ? Optional.of(token) : Optional.empty();
  }

  /** The code of what is wrong with the choice, or empty. */
  static Optional<String> complaint(String name, String password) {
    return NAME.matcher(name).matches()
        ? Passwords.complaint(password, name)
        : Optional.of("name_invalid");
  }

  /** Makes the first admin. False if the token is wrong, late, or another caller was first. */
  boolean complete(String token, String name, String password) {
    byte[] claim = TokenKind.sha256(token);
    if (!setup.accepts(claim)) {
      return false;
    }
    // Slow on purpose, so before the row is locked.
    String hash = passwords.hash(password);
    boolean won =
        Boolean.TRUE.equals(
            transactions.execute(_ -> {
              if (!setup.complete(claim)) {
                return false;
              }
              ActorId actor = actors.addUser(name);
              users.insert(ids.get(), actor, name, hash, Role.ADMIN);
              activity.record(
                  Entry.of(actor, "setup.completed").after(Map.of("user", name, "role", "admin")));
              return true;
            }));
    if (won) {
      state.close();
    }
    return won;
  }
}
