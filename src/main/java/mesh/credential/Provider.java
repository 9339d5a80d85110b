package mesh.credential;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import mesh.web.Problem;

/** Where agents have accounts that they act as in their sandboxes. Ordered as locks are taken. */
public enum Provider {
  GITHUB(
      "GitHub",
      "github.com",
      "x-access-token",
      List.of("GH_TOKEN", "GITHUB_TOKEN"),
      "https://github.com/settings/tokens"),
  GITLAB(
      "GitLab",
      "gitlab.com",
      "oauth2",
      List.of("GITLAB_TOKEN"),
      "https://gitlab.com/-/user_settings/personal_access_tokens");

  private final String title;
  private final String host;
  private final String gitUser;

  @SuppressWarnings("ImmutableEnumChecker") // List.of cannot be changed
  private final List<String> variables;

  private final String revocationPage;

  Provider(
      String title, String host, String gitUser, List<String> variables, String revocationPage) {
    this.title = title;
    this.host = host;
    this.gitUser = gitUser;
    this.variables = variables;
    this.revocationPage = revocationPage;
  }

  /** As paths, JSON and the database have it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String title() {
    return title;
  }

  /** Whom git may send the token to. */
  public String host() {
    return host;
  }

  /** The user name that goes with a token when git asks for one. */
  public String gitUser() {
    return gitUser;
  }

  /** The variables in which tools look for the token; never empty. */
  public List<String> variables() {
    return variables;
  }

  /** Where a person ends a token at the provider itself. */
  public String revocationPage() {
    return revocationPage;
  }

  static Optional<Provider> find(String word) {
    return Arrays.stream(values()).filter(provider -> provider.word().equals(word)).findFirst();
  }

  /** The reverse of {@link #word()}, for what the database holds. */
  public static Provider of(String word) {
    return find(word).orElseThrow(() -> new IllegalArgumentException("no provider " + word));
  }

  /**
   * Of a word that somebody gave.
   *
   * @throws Problem 404 {@code provider_unknown}
   */
  public static Provider named(String word) {
    return find(word)
        .orElseThrow(() ->
            Problem.notFound(
                "provider_unknown",
                "There is no provider %s: it is github or gitlab.".formatted(word)));
  }
}
