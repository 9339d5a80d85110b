package mesh.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import mesh.history.Event.RowChanged;
import mesh.history.Ledger.TeardownRow;
import mesh.history.Ledger.WorkspaceRow;

/**
 * I8: each workspace that left its run's reach with a sandbox has exactly one release, and that is
 * done: its sandbox is gone, sleeps, or passed to another run. Whatever was revoked is gone.
 */
final class EveryEndIsDone implements Invariant {

  @Override
  public String name() {
    return "I8";
  }

  @Override
  public List<Violation> in(History history, Timeline timeline) {
    var teardowns =
        history.ledger().teardowns().stream()
            .collect(Collectors.groupingBy(TeardownRow::workspace));
    var violations = new ArrayList<Violation>();
    for (var row : history.ledger().workspaces()) {
      var changes = timeline.rows().getOrDefault(row.id(), List.of());
      problem(row, changes, teardowns, history)
          .forEach(words -> violations.add(new Violation(name(), words, changes)));
    }
    return violations;
  }

  private static List<String> problem(
      WorkspaceRow row,
      List<RowChanged> changes,
      Map<?, List<TeardownRow>> teardowns,
      History history) {
    var problems = new ArrayList<String>();
    var own = teardowns.get(row.id());
    int count = own == null ? 0 : own.size();
    boolean left = changes.stream().anyMatch(change -> change.is("releasing"));
    if (count != (left ? 1 : 0)) {
      problems.add(
          "workspace %s has %d releases and was%s released"
              .formatted(row.id(), count, left ? "" : " never"));
    }
    if (own != null && own.stream().anyMatch(teardown -> teardown.doneAt() == null)) {
      problems.add(
          "the release of workspace %s is not done: %s".formatted(row.id(), own.getFirst()));
    }
    boolean over = history.ledger().run(row.run()).map(run -> run.endedAt() != null).orElse(false);
    if (over && !List.of("released", "held").contains(row.state())) {
      problems.add(
          "the run of workspace %s has ended, and that is %s".formatted(row.id(), row.state()));
    }
    boolean revoked =
        changes.stream().anyMatch(change -> "authorization_changed".equals(change.reason()));
    if (revoked && !row.state().equals("released")) {
      problems.add("workspace %s was revoked and is %s".formatted(row.id(), row.state()));
    }
    return problems;
  }
}
