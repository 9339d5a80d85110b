package mesh.settings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Entry;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/**
 * Where the code in workspaces may connect. A change applies to workspaces that are made after it;
 * running and held ones keep what they were made with.
 */
@Service
public class WorkspaceEgress {

  /** Far more than any vendor takes. */
  private static final int MOST = 1_000;

  private final EgressRepository rows;
  private final EgressLimits limits;
  private final BrokerHost broker;
  private final Activity activity;

  WorkspaceEgress(
      EgressRepository rows, EgressLimits limits, BrokerHost broker, Activity activity) {
    this.rows = rows;
    this.limits = limits;
    this.broker = broker;
    this.activity = activity;
  }

  /**
   * What is set; open if nothing ever was.
   *
   * @throws EgressUnreadable if what is stored cannot be read or makes no sense
   */
  public EgressSetting current() {
    Optional<String> stored;
    try {
      stored = rows.find();
    } catch (DataAccessException trouble) {
      throw new EgressUnreadable(
          "The policy for workspace network access could not be read, so no workspace is made: call"
              + " again when the database answers.",
          trouble);
    }
    return stored.map(StoredEgress::read).orElse(EgressSetting.OPEN);
  }

  /** Everything a workspace may reach if the mode is an allowlist, in alphabetical order. */
  public List<String> effective(EgressSetting setting) {
    return limits.effective(setting);
  }

  /** What is on every allowlist, by ecosystem, in a fixed order. */
  public Map<String, List<String>> builtin() {
    Map<String, List<String>> hosts = new LinkedHashMap<>();
    for (BuiltinHosts ecosystem : BuiltinHosts.values()) {
      hosts.put(ecosystem.title(), ecosystem.domains());
    }
    return hosts;
  }

  /** Mesh's own host, which is on every allowlist; empty if it has no name of its own. */
  public Optional<String> brokerHost() {
    return broker.domain();
  }

  /**
   * Replaces the policy. One that changes nothing leaves no trace.
   *
   * @throws Problem 400 {@code egress_mode_required}, {@code egress_policy_invalid}, {@code
   *     egress_domain_invalid} with every bad entry, {@code egress_too_many_domains}
   */
  @Transactional
  public EgressSetting save(EgressChange change, ActorId actor) {
    EgressSetting wanted = checked(change);
    limits.demandThatEnabledTake(wanted);
    Optional<EgressSetting> before = before();
    if (before.filter(wanted::equals).isEmpty()) {
      rows.save(StoredEgress.write(wanted), actor);
      activity.record(
          Entry.of(actor, "egress.changed")
              .before(before.map(StoredEgress::told).orElse(Map.of("unreadable", true)))
              .after(StoredEgress.told(wanted)));
    }
    return wanted;
  }

  /** Empty if it cannot be read: then whatever is saved mends it. */
  private Optional<EgressSetting> before() {
    try {
      return Optional.of(rows.lock().map(StoredEgress::read).orElse(EgressSetting.OPEN));
    } catch (EgressUnreadable unreadable) {
      return Optional.empty();
    }
  }

  private static EgressSetting checked(EgressChange change) {
    if (change.mode() == null) {
      throw Problem.badRequest(
          "egress_mode_required",
          "Say whether workspaces may connect anywhere: mode must be open or allowlist.");
    }
    return new EgressSetting(
        choice("mode", change.mode(), EgressMode.values()),
        domains(change.domains() == null ? List.of() : change.domains()),
        change.uncontrolled() == null
            ? Uncontrolled.REFUSE
            : choice("uncontrolled", change.uncontrolled(), Uncontrolled.values()));
  }

  private static <T extends Enum<T>> T choice(String field, String given, T[] values) {
    for (T value : values) {
      if (StoredEgress.word(value).equals(given)) {
        return value;
      }
    }
    throw Problem.badRequest(
            "egress_policy_invalid",
            "%s must be %s or %s."
                .formatted(field, StoredEgress.word(values[0]), StoredEgress.word(values[1])))
        .with("pointer", "/" + field);
  }

  private static List<String> domains(List<@Nullable String> entries) {
    if (entries.size() > MOST) {
      throw Problem.badRequest(
              "egress_too_many_domains", "The list may have at most %,d domains.".formatted(MOST))
          .with("pointer", "/domains");
    }
    List<String> domains = new ArrayList<>();
    List<BadDomain> bad = new ArrayList<>();
    for (int index = 0; index < entries.size(); index++) {
      String entry = entries.get(index);
      switch (EgressDomain.of(entry)) {
        case EgressDomain.Valid(var domain) -> domains.add(domain);
        case EgressDomain.Invalid(var why) ->
            bad.add(new BadDomain(index, entry == null ? "" : entry, why));
      }
    }
    if (!bad.isEmpty()) {
      BadDomain first = bad.getFirst();
      throw Problem.badRequest("egress_domain_invalid", first.sentence())
          .with("pointer", "/domains/" + first.index())
          .with("entry", first.entry())
          .with("errors", bad);
    }
    return domains.stream().sorted().distinct().toList();
  }

  /**
   * An entry that is no host name.
   *
   * @param index from 0
   * @param why completes the sentence "'…' …"
   */
  public record BadDomain(int index, String entry, String why) {
    public String sentence() {
      return "'%s' %s.".formatted(entry, why);
    }
  }
}
