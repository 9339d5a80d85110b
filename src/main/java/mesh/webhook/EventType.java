package mesh.webhook;

import java.util.Arrays;
import java.util.Optional;

/** What a webhook can be told of. */
public enum EventType {
  RUN_CREATED("run.created", "A run was created."),
  RUN_NOTICE("run.notice", "Mesh tells something about a run, such as that a sandbox is set up."),
  RUN_AWAITING_INPUT("run.awaiting_input", "A run waits for an answer."),
  RUN_ENDED("run.ended", "A run ended, with its status, reason and summary.");

  private final String word;
  private final String meaning;

  EventType(String word, String meaning) {
    this.word = word;
    this.meaning = meaning;
  }

  /** As the payload's {@code type} and the database have it. */
  public String word() {
    return word;
  }

  /** A sentence for whoever chooses. */
  public String meaning() {
    return meaning;
  }

  /** The reverse of {@link #word()}; empty for what is none. */
  public static Optional<EventType> of(String word) {
    return Arrays.stream(values()).filter(type -> type.word.equals(word)).findFirst();
  }
}
