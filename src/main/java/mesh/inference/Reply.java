package mesh.inference;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * What a model said.
 *
 * @param text may be empty
 * @param calls the tools it wants called, in this order
 * @param stop why it ended there
 * @param kept what its service wants back unchanged with the next prompt, such as signed thoughts;
 *     an empty object if nothing. Understood only by the client that made it
 */
public record Reply(String text, List<Call> calls, Stop stop, Usage usage, JsonNode kept) {

  public Reply {
    calls = List.copyOf(calls);
  }

  /** One that keeps nothing. */
  public static Reply of(String text, List<Call> calls, Stop stop, Usage usage) {
    return new Reply(text, calls, stop, usage, JsonNodeFactory.instance.objectNode());
  }

  /**
   * A tool is to be called.
   *
   * @param id unique in the run, as its service wants it back with the result
   * @param arguments as the model gave them, so maybe not what the tool's schema asks for; a string
   *     if they were no JSON at all, cut to a length that somebody can read
   */
  public record Call(String id, String tool, JsonNode arguments) {}

  /** Why a reply ended. */
  public enum Stop {
    /** It has said everything. */
    DONE,
    /** It waits for the results of its calls. */
    CALLS,
    /** It ran into the limit of a reply's length; its last call may be missing. */
    LENGTH,
    /** It will not do that, or gives up; the text says why. */
    GAVE_UP
  }

  /**
   * What it took.
   *
   * @param input tokens read, all of them
   * @param cachedInput those of {@code input} that its service had in a cache
   * @param output tokens said, thoughts included
   * @param costMicros millionths of the currency of the connection's prices; 0 without prices
   */
  public record Usage(long input, long cachedInput, long output, long costMicros) {

    public static final Usage NONE = new Usage(0, 0, 0, 0);
  }
}
