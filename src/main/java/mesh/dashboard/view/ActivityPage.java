package mesh.dashboard.view;

import java.util.List;

/**
 * Who did what.
 *
 * @param errors of the filter; without rows then
 * @param filters agent, run, actor, action, since
 * @param actions that are on the page, to suggest
 * @param filtered whether any filter narrows the list
 * @param csv address of the same entries as a file
 * @param older address of the next part; empty if there is none
 * @param newest address of the first part; empty if this is it
 */
public record ActivityPage(
    Shell shell,
    List<FieldError> errors,
    Filters filters,
    List<String> actions,
    boolean filtered,
    List<Line> entries,
    String csv,
    String jsonl,
    String older,
    String newest) {

  public ActivityPage {
    errors = List.copyOf(errors);
    actions = List.copyOf(actions);
    entries = List.copyOf(entries);
  }

  public record Filters(Field agent, Field run, Field actor, Field action, Field since) {

    public List<Field> texts() {
      return List.of(agent, run, actor);
    }
  }

  /**
   * An entry.
   *
   * @param agent its slug; empty for none, as with run and connection
   * @param more how many changes are left out, in words; empty if none
   */
  public record Line(
      When at,
      String actor,
      String action,
      String agent,
      String run,
      String runShort,
      String connection,
      List<Change> changes,
      String more) {

    public Line {
      changes = List.copyOf(changes);
    }
  }

  /**
   * A value that differs.
   *
   * @param before empty if there was none
   * @param after empty if there is none any more
   */
  public record Change(String path, String before, String after) {}
}
