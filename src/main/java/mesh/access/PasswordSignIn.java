package mesh.access;

import java.util.Map;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Entry;
import org.springframework.security.authentication.AuthenticationProvider;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.LockedException;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.authentication.WebAuthenticationDetails;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** Sign-in with name and password. Takes the same time and says the same whatever was wrong. */
@Component
final class PasswordSignIn implements AuthenticationProvider {

  private final UserRepository users;
  private final Passwords passwords;
  private final SignInDelays delays;
  private final Activity activity;
  private final TransactionTemplate transactions;

  PasswordSignIn(
      UserRepository users,
      Passwords passwords,
      SignInDelays delays,
      Activity activity,
      TransactionTemplate transactions) {
    this.users = users;
    this.passwords = passwords;
    this.delays = delays;
    this.activity = activity;
    this.transactions = transactions;
  }

  @Override
  public Authentication authenticate(Authentication attempt) {
    String name = attempt.getName();
    String password = String.valueOf(attempt.getCredentials());
    String address =
        attempt.getDetails() instanceof WebAuthenticationDetails details
            ? details.getRemoteAddress()
            : "unknown";
    if (delays.mustWait(name, address)) {
      throw new LockedException("too many wrong passwords");
    }
    UserRepository.User user = users.named(name).orElse(null);
    boolean right =
        user == null
            ? passwords.matchesNobody(password)
            : passwords.matches(password, user.passwordHash());
    if (user == null || !right || user.disabled()) {
      delays.failed(name, address);
      // A name nobody has may be a password in the wrong field: it is not written down.
      String known = user == null ? "nobody" : user.operator().name();
      record(Entry.of(ActorId.SYSTEM, "user.sign_in_failed"), known, address);
      throw new BadCredentialsException("wrong name or password");
    }
    record(Entry.of(user.operator().actor(), "user.signed_in"), user.operator().name(), address);
    delays.succeeded(name);
    return new Caller(user.operator());
  }

  // Failed ones are few: each after the fifth waits longer before it gets here.
  private void record(Entry entry, String name, String address) {
    transactions.executeWithoutResult(_ ->
        activity.record(entry.connection(address).after(Map.of("user", name, "address", address))));
  }

  @Override
  public boolean supports(Class<?> authentication) {
    return UsernamePasswordAuthenticationToken.class.isAssignableFrom(authentication);
  }
}
