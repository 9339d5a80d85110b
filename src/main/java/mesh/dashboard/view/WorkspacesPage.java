package mesh.dashboard.view;

import java.util.List;

/**
 * The list of workspaces.
 *
 * @param alive those that outlive the revocation of their credential
 * @param live those with a sandbox, if no state was asked for; first of all
 * @param rest newest first
 * @param filtered whether a state was asked for
 * @param older address of the next part; empty if there is none
 * @param newest address of the first part; empty if this is it
 * @param mayRelease whether this operator may release them
 */
public record WorkspacesPage(
    Shell shell,
    List<Banner> said,
    List<Alive> alive,
    List<Line> live,
    List<Line> rest,
    List<Option> states,
    boolean filtered,
    String older,
    String newest,
    boolean mayRelease) {

  public WorkspacesPage {
    said = List.copyOf(said);
    alive = List.copyOf(alive);
    live = List.copyOf(live);
    rest = List.copyOf(rest);
    states = List.copyOf(states);
  }

  /**
   * A workspace.
   *
   * @param runtime empty if it never had a sandbox, as with size
   * @param network where its code may connect, as it was made; empty if nothing is settled
   * @param why it is where it is, and what went wrong; empty if nothing
   * @param question what a release does, before it is done; empty if there is nothing to release
   */
  public record Line(
      String id,
      String shortId,
      Badge state,
      String agent,
      String run,
      String runShort,
      String runtime,
      String size,
      String network,
      When created,
      String compute,
      String why,
      String error,
      String question) {}

  /**
   * A sandbox of which the vendor has not confirmed the end.
   *
   * @param tried how often, in words
   */
  public record Alive(Line workspace, When since, String tried, List<Link> providers) {

    public Alive {
      providers = List.copyOf(providers);
    }
  }

  /** Where to revoke a token. */
  public record Link(String text, String address) {}
}
