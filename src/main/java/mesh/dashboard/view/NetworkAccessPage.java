package mesh.dashboard.view;

import java.util.List;

/**
 * Where the code in workspaces may connect, and the form that sets it.
 *
 * @param trouble why what is stored cannot be read; empty if it can
 * @param mayChange whether this operator may set it
 * @param modes the two to choose from
 * @param domains the operators' hosts, one on each line
 * @param lines what is wrong with single lines, in their order
 * @param uncontrolled what is to become of runtimes that cannot keep a list
 * @param builtin what is on every list, by ecosystem
 * @param mesh Mesh's own host, which is on every list; empty if it has no name
 * @param effective everything that may be reached if the mode is an allowlist
 * @param runtimes in catalog order
 */
public record NetworkAccessPage(
    Shell shell,
    List<Banner> said,
    String trouble,
    boolean mayChange,
    List<FieldError> errors,
    List<Choice> modes,
    Field domains,
    List<String> lines,
    List<Choice> uncontrolled,
    List<Builtin> builtin,
    String mesh,
    List<String> effective,
    List<Line> runtimes) {

  public NetworkAccessPage {
    said = List.copyOf(said);
    errors = List.copyOf(errors);
    modes = List.copyOf(modes);
    lines = List.copyOf(lines);
    uncontrolled = List.copyOf(uncontrolled);
    builtin = List.copyOf(builtin);
    effective = List.copyOf(effective);
    runtimes = List.copyOf(runtimes);
  }

  /** One of several, of which exactly one is chosen. */
  public record Choice(String value, String title, String meaning, boolean chosen) {}

  /** An ecosystem and its hosts. */
  public record Builtin(String title, String hosts) {}

  /**
   * A runtime and the list.
   *
   * @param control whether it can keep one, and how well
   * @param staysOpen what it does not cover; empty if it cannot keep one
   * @param outcome what happens to a new workspace there now
   */
  public record Line(
      String title, boolean enabled, Badge control, String staysOpen, Badge outcome) {}
}
