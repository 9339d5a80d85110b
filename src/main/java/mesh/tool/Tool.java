package mesh.tool;

import java.util.Optional;
import mesh.run.RunId;
import tools.jackson.databind.node.ObjectNode;

/** Something an agent can call. Stateless and thread-safe. */
public interface Tool {

  ToolDescription description();

  /** Whether {@code run} is told of this tool at all; one of no use to its kind is left out. */
  default boolean isOfferedTo(RunId run) {
    return true;
  }

  /**
   * Why {@code run} cannot use this tool, in one sentence with a code; empty if it can. Makes no
   * vendor call.
   */
  Optional<ToolRefusal.NotPossible> unavailable(RunId run);

  /**
   * Runs one call to its end and returns what the agent is shown.
   *
   * @param call arguments that satisfy the schema
   * @throws ToolRefusal if it could not be done, with what to do about it
   * @throws ToolWaits if the result comes later; only for runs that Mesh drives
   * @throws InterruptedException if the call was cancelled
   */
  ObjectNode call(ToolCall call) throws InterruptedException;
}
