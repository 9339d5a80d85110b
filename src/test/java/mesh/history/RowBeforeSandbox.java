package mesh.history;

import java.util.List;
import java.util.stream.Collectors;

/**
 * I1: when a sandbox is made, a row with its name is committed. The vendor asked the database at
 * that very moment, on a connection of its own.
 */
final class RowBeforeSandbox implements Invariant {

  @Override
  public String name() {
    return "I1";
  }

  @Override
  public List<Violation> in(History history, Timeline timeline) {
    var planted =
        history.all(Event.Planted.class).map(Event.Planted::sandbox).collect(Collectors.toSet());
    return history
        .all(Event.Created.class)
        .filter(created -> !created.rowCommitted() && !planted.contains(created.sandbox()))
        .map(created ->
            new Violation(
                name(),
                "%s was made before a row with its name was committed".formatted(created.sandbox()),
                List.of(created)))
        .toList();
  }
}
