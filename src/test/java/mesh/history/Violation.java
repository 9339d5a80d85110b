package mesh.history;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A promise that was not kept.
 *
 * @param invariant the name of the promise, for example {@code I3}
 * @param words what is wrong, in one sentence
 * @param events those that show it
 */
public record Violation(String invariant, String words, List<? extends Event> events) {

  public Violation {
    events = List.copyOf(events);
  }

  /** With its events below it. */
  @Override
  public String toString() {
    return invariant
        + ": "
        + words
        + events.stream().map(event -> "\n    " + event).collect(Collectors.joining());
  }
}
