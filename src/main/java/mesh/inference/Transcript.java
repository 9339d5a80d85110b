package mesh.inference;

import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * What happened so far in a run.
 *
 * @param task what the run was asked to do
 * @param calls the tool calls, oldest first
 */
public record Transcript(String task, List<PastCall> calls) {

  public Transcript {
    calls = List.copyOf(calls);
  }

  /**
   * A call that is over.
   *
   * @param succeeded whether the tool gave a result; false if it refused, broke or was cut off, and
   *     then {@code output} says so
   */
  public record PastCall(String tool, JsonNode arguments, boolean succeeded, JsonNode output) {}
}
