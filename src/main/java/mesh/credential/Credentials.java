package mesh.credential;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Entry;
import mesh.agent.AgentId;
import mesh.fault.FaultPoint;
import mesh.secret.Secret;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Operators' decisions about what agents act as. Each is authoritative once committed: from then on
 * nothing that was issued before it is worth anything. The methods that change something return
 * after the writes of credentials that were under way have ended, or after 5 s.
 */
@Service
public class Credentials {

  private static final Pattern TOKEN = Pattern.compile("[\\x21-\\x7e]{1,4096}");

  private final CredentialRepository rows;
  private final Seals seals;
  private final DeliveryLocks locks;
  private final Activity activity;
  private final TransactionTemplate transaction;
  private final ApplicationEventPublisher events;

  Credentials(
      CredentialRepository rows,
      Seals seals,
      DeliveryLocks locks,
      Activity activity,
      TransactionTemplate transaction,
      ApplicationEventPublisher events) {
    this.rows = rows;
    this.seals = seals;
    this.locks = locks;
    this.activity = activity;
    this.transaction = transaction;
    this.events = events;
  }

  /** One for each provider, set or not. */
  public List<Credential> of(AgentId agent) {
    var stored = rows.all(agent);
    return rows.permissions(agent).stream()
        .map(permission ->
            told(
                agent,
                permission,
                stored.stream()
                    .filter(one -> one.provider() == permission.provider())
                    .findFirst()
                    .orElse(null)))
        .toList();
  }

  public Credential of(AgentId agent, Provider provider) {
    return told(agent, rows.permission(agent, provider), rows.find(agent, provider).orElse(null));
  }

  /**
   * Sets or replaces a credential. Also the same one again is a change: whoever enters it means to
   * end what runs with the old.
   *
   * @throws Problem 400 {@code token_invalid}
   */
  public Changed put(AgentId agent, Provider provider, Secret token, Account account, ActorId by) {
    if (!TOKEN.matcher(token.reveal()).matches()) {
      throw Problem.badRequest(
              "token_invalid",
              "Field token must be the token alone: 1 to 4096 visible ASCII characters without spaces.")
          .with("pointer", "/token");
    }
    var sealed = seals.token(agent, provider, token);
    return change(
        agent,
        provider,
        () -> {
          var permission = rows.lock(agent, provider);
          var before = rows.find(agent, provider);
          rows.put(agent, provider, sealed, account, by);
          record(
              before.isPresent() ? "credential.replaced" : "credential.set",
              agent,
              provider,
              by,
              set(before.map(StoredCredential::account), permission.revision()),
              set(Optional.of(account), permission.revision() + 1));
          return true;
        });
  }

  /** Forgets a credential; not a change, and not recorded, if there was none. */
  public Changed clear(AgentId agent, Provider provider, ActorId by) {
    return change(
        agent,
        provider,
        () -> {
          var permission = rows.lock(agent, provider);
          var before = rows.find(agent, provider);
          if (before.isEmpty() || !rows.delete(agent, provider)) {
            return false;
          }
          record(
              "credential.cleared",
              agent,
              provider,
              by,
              set(before.map(StoredCredential::account), permission.revision()),
              set(Optional.empty(), permission.revision() + 1));
          return true;
        });
  }

  /** Permits or forbids delivery. A decision that was made before is not a change. */
  public Changed permit(AgentId agent, Provider provider, boolean enabled, ActorId by) {
    return change(
        agent,
        provider,
        () -> {
          var before = rows.lock(agent, provider);
          if (before.enabled() == enabled && before.source() != Permission.Source.AUTOMATIC) {
            return false;
          }
          rows.decide(agent, provider, enabled, by);
          record(
              enabled ? "credential_permission.enabled" : "credential_permission.disabled",
              agent,
              provider,
              by,
              decided(before.enabled(), before.revision(), before.source()),
              decided(enabled, before.revision() + 1, Permission.Source.EXPLICIT));
          return true;
        });
  }

  private Changed change(AgentId agent, Provider provider, Supplier<Boolean> change) {
    boolean changed =
        Boolean.TRUE.equals(
            transaction.execute(_ -> {
              boolean made = change.get();
              FaultPoint.REVOCATION_OPEN.hit();
              return made;
            }));
    FaultPoint.REVOCATION_COMMITTED.hit();
    if (changed) {
      events.publishEvent(new AuthorityChanged(agent));
    }
    // Also if it was decided before: whoever decided it then may still be waiting.
    // Read before the wait: a revision that came after it was not waited for.
    var now = of(agent, provider);
    boolean drained = locks.drained(agent, provider);
    FaultPoint.REVOCATION_DRAINED.hit();
    return new Changed(now, drained);
  }

  private void record(
      String action, AgentId agent, Provider provider, ActorId by, Object before, Object after) {
    activity.record(
        Entry.of(by, action)
            .agent(agent.value())
            .connection(provider.word())
            .before(before)
            .after(after));
  }

  private Credential told(AgentId agent, Permission permission, @Nullable StoredCredential stored) {
    var provider = permission.provider();
    if (stored == null) {
      return new Credential(provider, permission, null, null, null, null);
    }
    boolean opens = seals.openToken(agent, provider, stored.token()).isPresent();
    return new Credential(
        provider,
        permission,
        stored.account(),
        stored.setAt(),
        stored.setBy(),
        opens ? null : CredentialBroken.sentence(provider));
  }

  private static Map<String, Object> set(Optional<Account> account, long revision) {
    var told = new LinkedHashMap<String, Object>();
    told.put("set", account.isPresent());
    account.ifPresent(of -> told.put("account", of));
    told.put("revision", revision);
    return told;
  }

  private static Map<String, Object> decided(
      boolean enabled, long revision, Permission.Source source) {
    var told = new LinkedHashMap<String, Object>();
    told.put("enabled", enabled);
    told.put("revision", revision);
    told.put("source", source.word());
    return told;
  }

  /**
   * What a decision led to.
   *
   * @param drained whether no write of a credential that began before the decision is under way any
   *     more; if not, the decision holds all the same, and such a write is not relied on
   */
  public record Changed(Credential credential, boolean drained) {}
}
