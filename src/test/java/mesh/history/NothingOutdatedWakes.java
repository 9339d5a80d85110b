package mesh.history;

import java.util.ArrayList;
import java.util.List;
import mesh.history.Event.RowChanged;

/**
 * I6: nothing is resumed that was touched by authority which has changed since. What can be resumed
 * today is a sandbox that slept, by its own run or by the run that continues it; snapshots cannot
 * be restored yet, so there is nothing to check of them.
 */
final class NothingOutdatedWakes implements Invariant {

  @Override
  public String name() {
    return "I6";
  }

  @Override
  public List<Violation> in(History history, Timeline timeline) {
    var violations = new ArrayList<Violation>();
    timeline
        .rows()
        .forEach((workspace, changes) -> {
          RowChanged before = null;
          for (var change : changes) {
            if (change.is("creating") && before != null && resumes(before, change, timeline)) {
              check(workspace, change, timeline, violations);
            }
            before = change;
          }
        });
    return violations;
  }

  /** From its own sleep, or with a sandbox that another row had named before. */
  private static boolean resumes(RowChanged before, RowChanged change, Timeline timeline) {
    return before.is("held")
        || before.is("pending")
            && timeline.namings(String.valueOf(change.key())).stream()
                .anyMatch(naming ->
                    !naming.workspace().equals(change.workspace())
                        && naming.span().from().isBefore(change.at()));
  }

  private void check(
      java.util.UUID workspace, RowChanged change, Timeline timeline, List<Violation> violations) {
    for (var taint : timeline.taints(workspace)) {
      long current = timeline.revisionAt(taint.agent(), taint.provider(), change.at());
      // A taint of later is one that the resuming run brought with it.
      if (taint.revision() < current) {
        violations.add(
            new Violation(
                name(),
                "workspace %s resumed %s, which %s revision %d had touched, when %d was current"
                    .formatted(
                        workspace, change.key(), taint.provider(), taint.revision(), current),
                List.of(change)));
      }
    }
  }
}
