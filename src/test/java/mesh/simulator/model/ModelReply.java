package mesh.simulator.model;

import java.util.List;

/** What a model is to say. */
public record ModelReply(List<Part> parts, End end, Tokens tokens) {

  private static final Tokens SOME = new Tokens(20, 0, 0, 7);

  public ModelReply {
    parts = List.copyOf(parts);
  }

  /** In the order in which it is said. */
  public sealed interface Part {}

  public record Text(String text) implements Part {}

  /** Anthropic alone. */
  public record Thought(String text, String signature) implements Part {}

  /** Anthropic alone. */
  public record HiddenThought(String data) implements Part {}

  /**
   * @param arguments the text that is streamed, which may be no JSON
   */
  public record Call(String id, String tool, String arguments) implements Part {}

  public enum End {
    DONE,
    CALLS,
    LENGTH,
    REFUSED,
    PAUSED
  }

  /**
   * @param fresh read, not from the cache and not into it
   */
  public record Tokens(long fresh, long written, long cached, long said) {}

  public static ModelReply says(String text) {
    return new ModelReply(List.of(new Text(text)), End.DONE, SOME);
  }

  public static ModelReply calls(Part... parts) {
    return new ModelReply(List.of(parts), End.CALLS, SOME);
  }

  public ModelReply ends(End other) {
    return new ModelReply(parts, other, tokens);
  }

  public ModelReply took(Tokens other) {
    return new ModelReply(parts, end, other);
  }
}
