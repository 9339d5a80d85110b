package mesh.dashboard.view;

import java.util.List;

/**
 * A run with its steps.
 *
 * @param title first line of the task
 * @param task all of it; empty if the title says it all
 * @param after the last step that cannot change any more, where the live stream goes on
 * @param mayCancel whether this operator may end the run
 * @param later address of the steps after these; empty if these are the last
 * @param earlier address of the steps before these; empty if these are the first
 */
public record RunPage(
    Shell shell,
    RunHead head,
    String title,
    String task,
    List<StepView> steps,
    int after,
    boolean mayCancel,
    String later,
    String earlier) {

  public RunPage {
    steps = List.copyOf(steps);
  }
}
