package mesh.history;

import java.util.ArrayList;
import java.util.List;
import mesh.history.Event.RowChanged;

/** I7: a row that was released never comes back. */
final class ReleasedStays implements Invariant {

  @Override
  public String name() {
    return "I7";
  }

  @Override
  public List<Violation> in(History history, Timeline timeline) {
    var violations = new ArrayList<Violation>();
    timeline
        .rows()
        .forEach((workspace, changes) -> {
          RowChanged released = null;
          for (var change : changes) {
            if (released != null && !change.is("released")) {
              violations.add(
                  new Violation(
                      name(),
                      "workspace %s was released and is %s".formatted(workspace, change.state()),
                      List.of(released, change)));
            }
            released = change.is("released") ? change : released;
          }
        });
    return violations;
  }
}
