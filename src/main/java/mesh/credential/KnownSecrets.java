package mesh.credential;

import static java.nio.charset.StandardCharsets.UTF_8;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mesh.agent.AgentId;
import mesh.redaction.LogRedaction;
import mesh.redaction.Redactions;
import mesh.run.RunEnded;
import mesh.run.RunId;
import mesh.run.RunRedactions;
import mesh.secret.Secret;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * What each run must not show: the agent's own credentials, also those it may not have, and the
 * vault values it was given, which a file may still hold after their command. Values under {@link
 * Vault#SHORT} bytes count for their own command only: for longer they would take every such letter
 * from the run's output.
 *
 * <p>Kept for runs that were asked about lately; anything else is read anew.
 */
@Component
public class KnownSecrets implements RunRedactions {

  private static final int MOST_RUNS = 4096;

  private final CredentialRepository credentials;
  private final VaultRepository vault;
  private final Seals seals;
  private final RedactionCache automata = new RedactionCache();
  private final Map<RunId, Known> runs = new LinkedHashMap<>(64, 0.75f, true);
  private @Nullable LogRedaction log;

  KnownSecrets(CredentialRepository credentials, VaultRepository vault, Seals seals) {
    this.credentials = credentials;
    this.vault = vault;
    this.seals = seals;
  }

  /** Neither may the log. */
  @PostConstruct
  void keepOutOfTheLog() {
    log = LogRedaction.with(automata::all);
  }

  @PreDestroy
  void forget() {
    if (log != null) {
      log.close();
    }
  }

  @Override
  public Redactions of(RunId run) {
    return known(run).redactions();
  }

  /** From now on the run must not show these either. */
  public Redactions learn(RunId run, Collection<Secret> values) {
    var known = known(run);
    var added = known.with(values.stream().filter(KnownSecrets::outlivesItsCommand).toList());
    if (added == known) {
      return known.redactions();
    }
    keep(run, added);
    return added.redactions();
  }

  /** What one command of the run must not show: in addition, {@code values} of any length. */
  public Redactions during(RunId run, Collection<Secret> values) {
    return known(run).with(values).redactions();
  }

  @TransactionalEventListener(phase = TransactionPhase.AFTER_COMMIT)
  void ended(RunEnded ended) {
    synchronized (runs) {
      runs.remove(ended.run());
    }
  }

  private Known known(RunId run) {
    synchronized (runs) {
      var known = runs.get(run);
      if (known != null) {
        return known;
      }
    }
    var read = new Known(read(run));
    keep(run, read);
    return read;
  }

  private void keep(RunId run, Known known) {
    synchronized (runs) {
      runs.put(run, known);
      if (runs.size() > MOST_RUNS) {
        var eldest = runs.keySet().iterator();
        eldest.next();
        eldest.remove();
      }
    }
  }

  private List<Secret> read(RunId run) {
    var values = new ArrayList<Secret>();
    credentials
        .agentOf(run)
        .ifPresent(agent -> {
          for (var stored : credentials.all(agent)) {
            seals.openToken(agent, stored.provider(), stored.token()).ifPresent(values::add);
          }
          values.addAll(fromVault(run, agent));
        });
    return values;
  }

  private List<Secret> fromVault(RunId run, AgentId agent) {
    return vault.readBy(run).entrySet().stream()
        .flatMap(entry -> seals.openValue(agent, entry.getKey(), entry.getValue()).stream())
        .filter(KnownSecrets::outlivesItsCommand)
        .toList();
  }

  private static boolean outlivesItsCommand(Secret value) {
    return value.reveal().getBytes(UTF_8).length >= Vault.SHORT;
  }

  private final class Known {

    private final List<Secret> values;
    private final Redactions redactions;

    Known(List<Secret> values) {
      this.values = values;
      this.redactions = automata.of(values);
    }

    Redactions redactions() {
      return redactions;
    }

    Known with(Collection<Secret> more) {
      var all = new ArrayList<>(values);
      more.stream().filter(value -> !all.contains(value)).forEach(all::add);
      return all.size() == values.size() ? this : new Known(List.copyOf(all));
    }
  }
}
