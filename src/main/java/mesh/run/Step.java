package mesh.run;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One committed step of a run.
 *
 * @param seq from 1, without gaps
 * @param tool the tool's name; null unless {@code kind} is {@link Kind#TOOL}
 * @param replayability null unless {@code kind} is {@link Kind#TOOL}
 * @param input what went in: a tool's arguments; null if nothing
 * @param output what came out; null while started
 * @param finishedAt null while started
 * @param call the id by which a model's reply asked for it; null if none did
 * @param awaits what a started step waits for that nobody here is doing; or null
 */
public record Step(
    RunId run,
    int seq,
    Kind kind,
    @Nullable String tool,
    @Nullable Replayability replayability,
    Status status,
    @Nullable JsonNode input,
    @Nullable JsonNode output,
    Instant startedAt,
    @Nullable Instant finishedAt,
    @Nullable String call,
    @Nullable Awaits awaits) {

  /** What a step is. */
  public enum Kind {
    /** The model said something. */
    MODEL,
    /** A tool was called. */
    TOOL,
    /** Mesh tells whoever asked for the run. */
    NOTICE,
    /** Somebody says something to the run while it is under way. */
    MESSAGE;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Where a step is. */
  public enum Status {
    STARTED,
    FINISHED,
    /** The tool refused or broke; the output says why. */
    FAILED,
    /** Mesh lost the outcome, for example in a crash. */
    UNKNOWN;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What a started step waits for. */
  public enum Awaits {
    /** Somebody says something to the run. */
    ANSWER,
    /** A run that it spawned ends. */
    RUN;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  static Kind kind(String word) {
    return Kind.valueOf(word.toUpperCase(Locale.ROOT));
  }

  static Status status(String word) {
    return Status.valueOf(word.toUpperCase(Locale.ROOT));
  }
}
