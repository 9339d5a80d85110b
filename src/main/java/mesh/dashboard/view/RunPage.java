package mesh.dashboard.view;

import java.util.List;

/**
 * A run with its steps.
 *
 * @param title first line of the task
 * @param task all of it; empty if the title says it all
 * @param after the last step that cannot change any more, where the live stream goes on
 * @param mayCancel whether this operator may end the run
 */
public record RunPage(
    Shell shell,
    RunHead head,
    String title,
    String task,
    List<StepView> steps,
    int after,
    boolean mayCancel) {

  public RunPage {
    steps = List.copyOf(steps);
  }
}
