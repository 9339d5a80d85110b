package mesh.dashboard;

import java.util.ArrayList;
import java.util.List;
import mesh.dashboard.view.FieldError;
import mesh.run.NewRun;

/** A run that somebody is about to start, as typed. */
record Draft(String agent, String task, String onBehalfOf, boolean agentKnown) {

  /** Nothing typed yet. */
  static final Draft EMPTY = new Draft("", "", "", true);

  private static final int MOST_BEHALF = 200;

  List<FieldError> errors() {
    List<FieldError> errors = new ArrayList<>();
    if (equals(EMPTY)) {
      return errors;
    }
    if (!agentKnown) {
      errors.add(new FieldError("agent", "Choose an agent from the list: this one is gone."));
    }
    if (task.isBlank()) {
      errors.add(new FieldError("task", "Say what the agent is to do."));
    } else if (task.length() > NewRun.MAX_INPUT) {
      errors.add(
          new FieldError(
              "task",
              "Shorten the task to %,d characters; it has %,d."
                  .formatted(NewRun.MAX_INPUT, task.length())));
    } else if (task.indexOf('\0') >= 0) {
      errors.add(new FieldError("task", "Remove the NUL character from the task."));
    }
    if (onBehalfOf.length() > MOST_BEHALF || onBehalfOf.indexOf('\0') >= 0) {
      errors.add(new FieldError("behalf", "Shorten this to " + MOST_BEHALF + " characters."));
    }
    return errors;
  }
}
