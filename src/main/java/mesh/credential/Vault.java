package mesh.credential;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Entry;
import mesh.agent.AgentId;
import mesh.run.Run;
import mesh.run.RunId;
import mesh.secret.Secret;
import mesh.web.Problem;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * What people handed an agent for its own work. An agent asks for entries by name, for one command
 * at a time; each such read is in the audit. No entry is part of a run's authority: rotating or
 * forgetting one ends nothing, and the next command gets the new value or a refusal.
 */
@Service
public class Vault {

  /** Values below this are redacted too, but for their own command only. */
  public static final int SHORT = 8;

  private static final int MOST_BYTES = 64 * 1024;
  private static final int MOST_ENTRIES = 256;

  private final VaultRepository rows;
  private final Seals seals;
  private final Activity activity;

  Vault(VaultRepository rows, Seals seals, Activity activity) {
    this.rows = rows;
    this.seals = seals;
    this.activity = activity;
  }

  /** By name. */
  public List<VaultEntry> list(AgentId agent) {
    return rows.list(agent);
  }

  /**
   * Sets or replaces an entry.
   *
   * @throws Problem 400 {@code vault_name_invalid} or {@code vault_value_invalid}, 409 {@code
   *     vault_full}
   */
  @Transactional
  public VaultEntry put(AgentId agent, String name, Secret value, ActorId by) {
    if (!VaultNames.isName(name)) {
      throw Problem.badRequest(
          "vault_name_invalid", "A vault entry's name has %s.".formatted(VaultNames.RULE));
    }
    int bytes = checked(value);
    var added = rows.put(agent, name, seals.value(agent, name, value), bytes < SHORT, by);
    if (added && rows.count(agent) > MOST_ENTRIES) {
      throw Problem.conflict(
          "vault_full",
          "The vault holds %d entries, as many as it may: delete one first."
              .formatted(MOST_ENTRIES));
    }
    activity.record(
        Entry.of(by, added ? "vault.set" : "vault.replaced").agent(agent.value()).connection(name));
    return rows.list(agent).stream()
        .filter(entry -> entry.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Forgets an entry.
   *
   * @throws Problem 404 {@code vault_entry_unknown}
   */
  @Transactional
  public void delete(AgentId agent, String name, ActorId by) {
    if (!rows.delete(agent, name)) {
      throw Problem.notFound("vault_entry_unknown", "The agent has no vault entry of that name.");
    }
    activity.record(Entry.of(by, "vault.forgotten").agent(agent.value()).connection(name));
  }

  /**
   * Reads entries for a command of a run; either all or none. In the audit, before anything is
   * delivered.
   *
   * @return values by name, in the order asked for
   * @throws Refused if there is no such entry or it does not open
   */
  @Transactional
  public Map<String, Secret> read(Run run, List<String> names) {
    var values = new LinkedHashMap<String, Secret>();
    for (var name : names) {
      var sealed = rows.sealed(run.agent(), name).orElseThrow(() -> Refused.unknown(name));
      values.put(
          name, seals.openValue(run.agent(), name, sealed).orElseThrow(() -> Refused.broken(name)));
      activity.record(
          Entry.of(run.createdBy(), "vault.read")
              .agent(run.agent().value())
              .run(run.id().value())
              .connection(name));
    }
    return values;
  }

  /** The names of what a run has read, in the order of the first time. */
  public List<String> readBy(RunId run) {
    return rows.namesReadBy(run);
  }

  private static int checked(Secret value) {
    var text = value.reveal();
    int bytes = text.getBytes(UTF_8).length;
    if (text.isBlank()) {
      throw invalid("is empty");
    }
    if (text.indexOf('\0') >= 0) {
      throw invalid("holds a NUL character, which no variable can");
    }
    if (bytes > MOST_BYTES) {
      throw invalid("is %d bytes, more than %d".formatted(bytes, MOST_BYTES));
    }
    return bytes;
  }

  private static Problem invalid(String why) {
    return Problem.badRequest("vault_value_invalid", "The value " + why + ".")
        .with("pointer", "/value");
  }

  /** An entry cannot be given. */
  public static final class Refused extends RuntimeException {

    private final String name;
    private final boolean isUnknown;

    private Refused(String name, boolean isUnknown) {
      super(name, null, false, false);
      this.name = name;
      this.isUnknown = isUnknown;
    }

    private static Refused unknown(String name) {
      return new Refused(name, true);
    }

    private static Refused broken(String name) {
      return new Refused(name, false);
    }

    public String name() {
      return name;
    }

    /** Whether there is none; else it is there and does not open. */
    public boolean isUnknown() {
      return isUnknown;
    }
  }
}
