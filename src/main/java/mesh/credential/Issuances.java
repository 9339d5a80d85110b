package mesh.credential;

import java.util.List;
import mesh.agent.AgentId;
import mesh.run.RunId;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/**
 * What runs are issued: once, when a run first reaches for a sandbox, one row for each provider,
 * never altered. Nothing is issued anew to a run whose issuance went out of date.
 */
@Component
public class Issuances {

  private final IssuanceRepository rows;

  Issuances(IssuanceRepository rows) {
    this.rows = rows;
  }

  /**
   * Keeps an agent's permissions as they are until the caller's transaction ends. Comes before any
   * lock on a workspace: a change of a permission locks in this order.
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public void lockPermissions(AgentId agent) {
    rows.lockPermissions(agent);
  }

  /**
   * Issues, unless that was done before, and returns what the run has.
   *
   * @param deliverable whether its runtime can take credentials
   */
  @Transactional(propagation = Propagation.MANDATORY)
  public List<Issuance> issue(RunId run, AgentId agent, boolean deliverable) {
    rows.issue(run, agent, deliverable);
    return rows.of(run);
  }

  /** Empty if the run never reached for a sandbox. */
  public List<Issuance> of(RunId run) {
    return rows.of(run);
  }
}
