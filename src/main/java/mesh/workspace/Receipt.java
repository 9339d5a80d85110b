package mesh.workspace;

import java.util.List;
import java.util.Locale;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a run that goes on where something was left is told of it: never silently something else
 * than it expects.
 *
 * @param from the run that left it, its own if its sandbox slept meanwhile; null if there was no
 *     other run
 * @param text the whole in words, for the model
 * @param differences from what was left, in words; empty unless incomplete
 */
record Receipt(Outcome outcome, @Nullable RunId from, String text, List<String> differences) {

  private static final JsonMapper JSON = new JsonMapper();

  Receipt {
    differences = List.copyOf(differences);
  }

  enum Outcome {
    /** All that was compared is as it was. */
    SAME,
    /** The sandbox is the one that was left, but not all is as it was or could be compared. */
    INCOMPLETE,
    /** The sandbox is a new one. */
    REBUILT
  }

  /**
   * @param why in words that go on after "because"
   */
  static Receipt rebuilt(RunId from, String why) {
    return new Receipt(
        Outcome.REBUILT,
        from,
        "The sandbox that run %s left is not there any more, because %s: this is a new, empty one."
            .formatted(from, why),
        List.of());
  }

  /**
   * A run's own sandbox is gone while the run goes on.
   *
   * @param reason in the words of the row
   */
  static Receipt replaced(String reason) {
    return new Receipt(
        Outcome.REBUILT,
        null,
        switch (reason) {
          case "idle" ->
              "The previous sandbox was not used for long and was ended with its files: this is a new, empty one.";
          case "out_of_memory" ->
              "The previous sandbox ran out of memory and was replaced: this is a new, empty and larger one.";
          default -> "The previous sandbox was lost with its files: this is a new, empty one.";
        },
        List.of());
  }

  /**
   * @param own whether the sandbox was the run's own
   * @param differences null if nobody could compare
   */
  static Receipt resumed(RunId from, boolean own, @Nullable List<String> differences) {
    var whose =
        own
            ? "Your sandbox slept while it was not used and is awake again"
            : "This is the sandbox that run %s left".formatted(from);
    if (differences == null) {
      return new Receipt(
          Outcome.INCOMPLETE,
          from,
          whose
              + ". Whether its files are as they were could not be compared: look before you rely on them."
              + GONE,
          List.of());
    }
    if (differences.isEmpty()) {
      return new Receipt(
          Outcome.SAME, from, whose + ", with its files as they were." + GONE, List.of());
    }
    return new Receipt(
        Outcome.INCOMPLETE,
        from,
        whose + ", but not as it was left: " + String.join("; ", differences) + "." + GONE,
        differences);
  }

  private static final String GONE = " What ran in it has ended, and temporary files may be gone.";

  /** As the row keeps it. */
  String json() {
    var json =
        JSON.createObjectNode()
            .put("outcome", outcome.name().toLowerCase(Locale.ROOT))
            .put("from_run", from == null ? null : from.value().toString())
            .put("text", text);
    differences.forEach(json.putArray("differences")::add);
    return JSON.writeValueAsString(json);
  }

  /** The words of a receipt that a row keeps; empty if it keeps none. */
  static String textOf(@Nullable String json) {
    return json == null ? "" : JSON.readTree(json).path("text").asString("");
  }
}
