package mesh.dashboard.view;

import java.util.List;

/**
 * What a run could see.
 *
 * @param lead the whole in a sentence or two
 * @param saw whether there is more to tell than that
 * @param issued one for each provider; none if the run never reached for a sandbox
 * @param vault names of the entries its commands were given
 * @param network what it could connect to, in a sentence
 * @param hosts those it was kept to; none if it was kept to none
 * @param runtime where its commands ran
 * @param residue what Mesh cannot rule out, a sentence each
 */
public record GrantsPage(
    Shell shell,
    RunHead head,
    String title,
    String lead,
    boolean saw,
    List<Issued> issued,
    List<String> vault,
    String network,
    List<String> hosts,
    List<Fact> runtime,
    List<String> residue) {

  public GrantsPage {
    issued = List.copyOf(issued);
    vault = List.copyOf(vault);
    hosts = List.copyOf(hosts);
    runtime = List.copyOf(runtime);
    residue = List.copyOf(residue);
  }

  /** What it was issued for one provider. */
  public record Issued(
      String provider,
      Badge state,
      long revision,
      When at,
      String text,
      boolean available,
      String revocationPage) {}
}
