package mesh.inference;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** One turn of what happened so far. */
public sealed interface Message {

  /** Somebody who asked for the run, or Mesh, says something to the model. */
  record Asked(String text) implements Message {}

  /** What the model replied. */
  record Replied(Reply reply) implements Message {}

  /** What became of all calls of the reply before, in their order. */
  record Results(List<Result> results) implements Message {

    public Results {
      results = List.copyOf(results);
    }
  }

  /**
   * What became of a call.
   *
   * @param call the call's id
   * @param failed whether the tool refused, broke or was cut off; {@code output} then says so
   * @param output as it was committed; an empty object where the text was shortened
   * @param text as a model reads it; shortened where the window has no room for more
   */
  record Result(String call, String tool, boolean failed, JsonNode output, String text) {}
}
