package mesh.dashboard.view;

import java.util.List;

/**
 * What is known of a run as a whole; sent anew whenever it changes.
 *
 * @param version differs whenever anything else here does
 * @param since RFC 3339 moment from which the page counts on; empty if the run has ended
 * @param summary what the run said at its end; empty before
 */
public record RunHead(
    String id,
    String shortId,
    String version,
    Badge status,
    String reason,
    String agent,
    String actor,
    String onBehalfOf,
    When created,
    String duration,
    String since,
    List<Fact> facts,
    String summary,
    boolean live,
    boolean waitsForAgent) {

  public RunHead {
    facts = List.copyOf(facts);
  }
}
