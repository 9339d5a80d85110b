package mesh.dashboard;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import mesh.agent.Agent;
import mesh.agent.AgentId;
import mesh.credential.Account;
import mesh.credential.Credential;
import mesh.credential.Credentials;
import mesh.credential.Permission;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Badge;
import mesh.dashboard.view.CredentialBlock;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.Field;
import mesh.dashboard.view.Mark;
import mesh.dashboard.view.When;
import org.springframework.stereotype.Component;

/** What agents have at providers, as pages show it. */
@Component
class CredentialBlocks {

  private final Credentials credentials;
  private final LiveSandboxes live;

  CredentialBlocks(Credentials credentials, LiveSandboxes live) {
    this.credentials = credentials;
    this.live = live;
  }

  /** For a list: a badge for each provider of which something is set. */
  List<Badge> badges(AgentId agent) {
    return credentials.of(agent).stream()
        .filter(Credential::isSet)
        .map(it -> new Badge(state(it).mark(), it.provider().title() + " " + inShort(it)))
        .toList();
  }

  List<CredentialBlock> of(Agent agent, RefusedForm refused, Instant now) {
    String effect = live.effect(agent.slug());
    return credentials.of(agent.id()).stream().map(it -> block(it, effect, refused, now)).toList();
  }

  private static CredentialBlock block(
      Credential credential, String effect, RefusedForm refused, Instant now) {
    String key = credential.provider().word();
    String title = credential.provider().title();
    Optional<Account> account = Optional.ofNullable(credential.account());
    Instant setAt = credential.setAt();
    return new CredentialBlock(
        key,
        title,
        state(credential),
        setAt == null ? null : When.of(setAt, now),
        VisibleText.line(Objects.requireNonNullElse(credential.setBy(), "")),
        Objects.requireNonNullElse(credential.trouble(), ""),
        account.map(CredentialBlocks::identity).orElse(List.of()),
        revisions(credential.permission(), now),
        credential.permission().enabled(),
        effect,
        credential.provider().revocationPage(),
        refused.is(key),
        field(key, "token", "Token", hint(title), "", refused),
        field(
            key,
            "login",
            "Account",
            "Its login at %s.".formatted(title),
            account.map(Account::login).orElse(""),
            refused),
        field(
            key,
            "name",
            "Name on commits",
            "",
            account.map(Account::name).map(VisibleText::line).orElse(""),
            refused),
        field(
            key,
            "email",
            "E-mail address on commits",
            "",
            account.map(Account::email).map(VisibleText::line).orElse(""),
            refused));
  }

  private static Field field(
      String provider,
      String name,
      String label,
      String hint,
      String present,
      RefusedForm refused) {
    String id = provider + "-" + name;
    String value = refused.is(provider) ? refused.typed(id, "") : present;
    return new Field(id, name, label, hint, value, refused.error(id));
  }

  private static String hint(String title) {
    return "A %s access token of the agent's own account. It is never shown again."
        .formatted(title);
  }

  private static List<Fact> identity(Account account) {
    List<Fact> facts = new ArrayList<>();
    facts.add(new Fact("Acts as", VisibleText.line(account.login()), "", true));
    String name = account.name();
    facts.add(
        name == null
            ? new Fact("Name on commits", VisibleText.line(account.login()), "its login", false)
            : Fact.of("Name on commits", VisibleText.line(name)));
    String email = account.email();
    if (email != null) {
      facts.add(Fact.of("E-mail on commits", VisibleText.line(email)));
    }
    return facts;
  }

  private static Badge state(Credential credential) {
    if (credential.trouble() != null) {
      return new Badge(Mark.BAD, "Cannot be decrypted");
    }
    boolean permitted = credential.permission().enabled();
    if (!credential.isSet()) {
      return new Badge(Mark.QUIET, permitted ? "Not set" : "Not set, and not permitted");
    }
    return permitted
        ? new Badge(Mark.GOOD, "Delivered to its sandboxes")
        : new Badge(Mark.ATTENTION, "Set, but kept from its sandboxes");
  }

  private static String inShort(Credential credential) {
    if (credential.trouble() != null) {
      return "cannot be decrypted";
    }
    return credential.permission().enabled() ? "delivered" : "kept back";
  }

  private static String revisions(Permission permission, Instant now) {
    return "Revision %d. ".formatted(permission.revision())
        + switch (permission.source()) {
          case AUTOMATIC ->
              "Automatic: delivery is on for an agent's own credential, and nobody decided"
                  + " otherwise.";
          case EXPLICIT ->
              "Explicit: %s decided on delivery; the last change was %s."
                  .formatted(
                      VisibleText.line(
                          Objects.requireNonNullElse(permission.updatedBy(), "somebody")),
                      When.of(permission.updatedAt(), now).spoken());
          case LEGACY_MIGRATION ->
              "Legacy migration: taken over as it was from before there were revisions, until"
                  + " somebody decides.";
        };
  }
}
