package mesh.tool;

import mesh.run.Step;

/**
 * A call has begun and its result comes later, from elsewhere. Thrown by a tool instead of a
 * result; the step stays started and the run needs no thread meanwhile.
 */
public final class ToolWaits extends RuntimeException {

  private final Step.Awaits awaits;

  public ToolWaits(Step.Awaits awaits) {
    super("waits for " + awaits, null, false, false);
    this.awaits = awaits;
  }

  public Step.Awaits awaits() {
    return awaits;
  }
}
