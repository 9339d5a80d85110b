package mesh.run;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What changed about one run since the last look: for streams of events. Reads only the steps that
 * are new or were unfinished. Used by one thread.
 */
public final class RunChanges {

  private static final int PAGE = 200;

  private final Steps steps;
  private final Runs runs;
  private final RunId run;
  private final Set<Integer> unfinished = new LinkedHashSet<>();
  private int seen;

  /** Begins after step {@code after}: 0 for all of them. */
  public RunChanges(Runs runs, Steps steps, RunId run, int after) {
    this.runs = runs;
    this.steps = steps;
    this.run = run;
    this.seen = after;
  }

  /** The run as it is now, and the steps that are new or have finished since the last call. */
  public Changed next() {
    // The run first: a run read as ended has no step that is not read after it.
    var now = runs.find(run).orElseThrow();
    var changed = new ArrayList<Step>();
    for (var step : steps.find(run, List.copyOf(unfinished))) {
      if (step.status() != Step.Status.STARTED) {
        unfinished.remove(step.seq());
        changed.add(step);
      }
    }
    List<Step> page;
    do {
      page = steps.list(run, seen, PAGE);
      for (var step : page) {
        seen = step.seq();
        changed.add(step);
        if (step.status() == Step.Status.STARTED) {
          unfinished.add(step.seq());
        }
      }
    } while (page.size() == PAGE);
    return new Changed(now, changed, now.hasEnded() && unfinished.isEmpty());
  }

  /** The steps that had not finished at the last look. */
  Set<Integer> unfinished() {
    return unfinished;
  }

  /**
   * One look.
   *
   * @param steps in order of their number
   * @param last whether nothing can change any more
   */
  public record Changed(Run run, List<Step> steps, boolean last) {}
}
