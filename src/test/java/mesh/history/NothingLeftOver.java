package mesh.history;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** I3: after quiet time the vendor has exactly the sandboxes of rows that are ready or held. */
final class NothingLeftOver implements Invariant {

  @Override
  public String name() {
    return "I3";
  }

  @Override
  public List<Violation> in(History history, Timeline timeline) {
    var kept =
        history.ledger().workspaces().stream()
            .filter(row -> List.of("ready", "held").contains(row.state()))
            .collect(Collectors.toMap(row -> String.valueOf(row.key()), row -> row));
    var violations = new ArrayList<Violation>();
    for (var sandbox : history.living()) {
      if (!kept.containsKey(sandbox)) {
        violations.add(
            new Violation(
                name(),
                sandbox + " lives, and no row is ready or held with it",
                about(history, sandbox)));
      }
    }
    kept.forEach((sandbox, row) -> {
      if (!history.living().contains(sandbox)) {
        violations.add(
            new Violation(
                name(),
                "workspace %s is %s with %s, which is gone"
                    .formatted(row.id(), row.state(), sandbox),
                about(history, sandbox)));
      }
    });
    return violations;
  }

  private static List<Event> about(History history, String sandbox) {
    Predicate<Event> concerns =
        event ->
            switch (event) {
              case Event.Created created -> created.sandbox().equals(sandbox);
              case Event.Planted planted -> planted.sandbox().equals(sandbox);
              case Event.Destroyed destroyed -> destroyed.sandbox().equals(sandbox);
              case Event.RowChanged row -> sandbox.equals(row.key());
              default -> false;
            };
    return history.events().stream().filter(concerns).toList();
  }
}
