package mesh.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import mesh.history.Event.PermissionChanged;

/**
 * I10: each change of a permission has exactly one entry in the audit, and each entry tells of a
 * change that was made. The plan also asks that a chain of hashes verifies; the audit has none yet.
 */
final class EveryChangeIsAudited implements Invariant {

  @Override
  public String name() {
    return "I10";
  }

  @Override
  public List<Violation> in(History history, Timeline timeline) {
    Map<String, Long> entries =
        history.ledger().activity().stream()
            .collect(
                Collectors.groupingBy(
                    entry -> change(entry.agent(), entry.provider(), entry.revision()),
                    Collectors.counting()));
    var violations = new ArrayList<Violation>();
    var made =
        history
            .all(PermissionChanged.class)
            .collect(
                Collectors.toMap(
                    change -> change(change.agent(), change.provider(), change.revision()),
                    change -> change,
                    (one, _) -> one));
    made.forEach((change, event) -> {
      long count = entries.getOrDefault(change, 0L);
      if (count != 1) {
        violations.add(
            new Violation(
                name(), "%s is in the audit %d times".formatted(change, count), List.of(event)));
      }
    });
    entries.keySet().stream()
        .filter(change -> !made.containsKey(change))
        .forEach(change ->
            violations.add(
                new Violation(name(), change + " is in the audit and was not made", List.of())));
    return violations;
  }

  private static String change(Object agent, String provider, long revision) {
    return "revision %d of %s of agent %s".formatted(revision, provider, agent);
  }
}
