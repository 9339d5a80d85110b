package mesh.harness;

import java.util.ArrayDeque;
import java.util.Optional;
import mesh.run.Run;
import mesh.run.Runs;

/**
 * The first thing that a run's model is told: its task and, where it continues others, what those
 * were asked and how they ended, which cannot change any more.
 */
final class Opening {

  private static final int MOST = 10;
  private static final int LONGEST_TASK = 2_000;
  private static final int LONGEST_SUMMARY = 4_000;

  private Opening() {}

  static String of(Run run, Runs runs) {
    var earlier = new ArrayDeque<String>();
    var before = runs.before(run.id());
    while (before.isPresent() && earlier.size() < MOST) {
      var found = runs.find(before.get()).filter(Run::hasEnded);
      found.map(Opening::told).ifPresent(earlier::addFirst);
      before = found.flatMap(it -> runs.before(it.id()));
    }
    return earlier.isEmpty()
        ? run.input()
        : "This goes on from earlier work of yours.\n\n%s\n\nYour task now:\n%s"
            .formatted(String.join("\n\n", earlier), run.input());
  }

  private static String told(Run run) {
    var summary =
        Optional.ofNullable(run.summary()).or(() -> Optional.ofNullable(run.statusReason()));
    return "Task: %s\nIt ended as %s. %s"
        .formatted(
            cut(run.input(), LONGEST_TASK),
            run.status().word(),
            cut(summary.orElse(""), LONGEST_SUMMARY))
        .strip();
  }

  private static String cut(String text, int most) {
    return text.length() <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, text.codePointCount(0, most) - 1)) + "…";
  }
}
