package mesh.credential;

import java.util.regex.Pattern;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;

/**
 * Whom an agent acts as at a provider: what people see on its commits and pull requests.
 *
 * @param login never empty
 * @param name null if not told: the login then stands for it
 * @param email null if not told
 */
public record Account(String login, @Nullable String name, @Nullable String email) {

  private static final Pattern LOGIN = Pattern.compile("[\\p{Alnum}][\\p{Alnum}_.-]{0,254}");
  private static final Pattern LINE = Pattern.compile("[^\\p{Cntrl}<>]{1,255}");

  /**
   * @throws Problem 400 {@code account_invalid}, with what is wrong: these go into git's
   *     configuration
   */
  public Account {
    if (!LOGIN.matcher(login).matches()) {
      throw invalid("login", "must be the account's name at the provider");
    }
    if (name != null && !LINE.matcher(name).matches()) {
      throw invalid("name", "must be one line of at most 255 characters without < and >");
    }
    if (email != null && (!LINE.matcher(email).matches() || email.indexOf('@') < 1)) {
      throw invalid("email", "must be an e-mail address");
    }
  }

  static Problem invalid(String field, String rule) {
    return Problem.badRequest("account_invalid", "Field account.%s %s.".formatted(field, rule))
        .with("pointer", "/account/" + field);
  }
}
