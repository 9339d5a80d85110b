package mesh.credential;

import java.time.Instant;
import mesh.secret.Secret;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** How credentials, permissions and vaults look over HTTP. Values only go in. */
final class CredentialBodies {

  private CredentialBodies() {}

  record PutCredential(@Nullable Secret token, @Nullable PutAccount account) {

    Secret demandedToken() {
      if (token == null) {
        throw Problem.badRequest(
                "token_invalid",
                "Field token is missing: it is the token that the agent acts with.")
            .with("pointer", "/token");
      }
      return token;
    }

    /**
     * @param present the account that the credential to be replaced belongs to; null if there is
     *     none
     */
    Account demandedAccount(@Nullable Account present) {
      if (account == null && present != null) {
        return present;
      }
      if (account == null || account.login == null) {
        throw Account.invalid("login", "is missing: it is the account that the token belongs to");
      }
      return new Account(account.login, account.name, account.email);
    }
  }

  record PutAccount(@Nullable String login, @Nullable String name, @Nullable String email) {}

  record PutPermission(@Nullable Boolean enabled) {

    boolean demanded() {
      if (enabled == null) {
        throw Problem.badRequest("permission_invalid", "Field enabled is missing: true or false.")
            .with("pointer", "/enabled");
      }
      return enabled;
    }
  }

  record PutValue(@Nullable Secret value) {

    Secret demanded() {
      if (value == null) {
        throw Problem.badRequest("vault_value_invalid", "Field value is missing.")
            .with("pointer", "/value");
      }
      return value;
    }
  }

  /**
   * @param error null unless it is set and cannot be used
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record CredentialAnswer(
      String provider,
      boolean set,
      @Nullable Account account,
      long revision,
      @Nullable Instant setAt,
      @Nullable String setBy,
      @Nullable ErrorAnswer error,
      String revocationPage) {

    static CredentialAnswer of(Credential credential) {
      return new CredentialAnswer(
          credential.provider().word(),
          credential.isSet(),
          credential.account(),
          credential.permission().revision(),
          credential.setAt(),
          credential.setBy(),
          credential.trouble() == null
              ? null
              : new ErrorAnswer("credential_undecryptable", credential.trouble()),
          credential.provider().revocationPage());
    }
  }

  record ErrorAnswer(String code, String detail) {}

  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record PermissionAnswer(
      String provider,
      boolean enabled,
      long revision,
      String source,
      Instant updatedAt,
      @Nullable String updatedBy) {

    static PermissionAnswer of(Permission permission) {
      return new PermissionAnswer(
          permission.provider().word(),
          permission.enabled(),
          permission.revision(),
          permission.source().word(),
          permission.updatedAt(),
          permission.updatedBy());
    }
  }

  /**
   * @param warning null unless something about it is unwise
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record VaultAnswer(
      String name, String variable, Instant setAt, String setBy, @Nullable String warning) {

    static VaultAnswer of(VaultEntry entry) {
      return new VaultAnswer(
          entry.name(),
          entry.variable(),
          entry.setAt(),
          entry.setBy(),
          entry.isShort()
              ? "The value is under %d bytes: output of commands that get it may be full of markers, and it is not looked for in later ones."
                  .formatted(Vault.SHORT)
              : null);
    }
  }
}
