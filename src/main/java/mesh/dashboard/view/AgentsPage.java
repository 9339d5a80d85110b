package mesh.dashboard.view;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The list of agents.
 *
 * @param mayCreate whether this operator may make one
 * @param open whether the form is unfolded, as after an error
 * @param older address of the next part; empty if there is none
 * @param newest address of the first part; empty if this is it
 */
public record AgentsPage(
    Shell shell,
    List<Line> agents,
    boolean mayCreate,
    boolean open,
    List<FieldError> errors,
    Field slug,
    Field name,
    String older,
    String newest) {

  public AgentsPage {
    agents = List.copyOf(agents);
    errors = List.copyOf(errors);
  }

  /**
   * An agent in the list.
   *
   * @param name empty if it is the slug again
   * @param credentials one for each provider of which it has any
   * @param last its newest run; null if it has none
   */
  public record Line(
      String slug, String name, String runtime, List<Badge> credentials, @Nullable LastRun last) {

    public Line {
      credentials = List.copyOf(credentials);
    }
  }

  /**
   * The newest run of an agent.
   *
   * @param href of all its runs if it is not among the newest of all agents
   * @param status null then, as is when
   */
  public record LastRun(String href, @Nullable Badge status, @Nullable When when) {}
}
