package mesh.dashboard.view;

import java.util.List;

/**
 * The list of runs.
 *
 * @param actor whose runs are shown; empty for everybody's
 * @param actors names to suggest
 * @param filtered whether any filter narrows the list
 * @param fresh whether this is the newest part of the list, which updates itself
 * @param older address of the next part; empty if there is none
 * @param newest address of the first part; empty if this is it
 * @param publicUrl where this server is reached, for the command of the empty state
 */
public record RunsPage(
    Shell shell,
    List<Option> statuses,
    List<Option> agents,
    String actor,
    List<String> actors,
    boolean filtered,
    List<RunRow> runs,
    DayStrip day,
    StartForm start,
    boolean fresh,
    String older,
    String newest,
    String publicUrl) {

  public RunsPage {
    statuses = List.copyOf(statuses);
    agents = List.copyOf(agents);
    actors = List.copyOf(actors);
    runs = List.copyOf(runs);
  }
}
