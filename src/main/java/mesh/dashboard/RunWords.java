package mesh.dashboard;

import mesh.dashboard.view.Badge;
import mesh.dashboard.view.Mark;
import mesh.run.RunStatus;

/** Statuses of runs as operators read them. */
final class RunWords {

  private RunWords() {}

  static Badge badge(RunStatus status) {
    return switch (status) {
      case QUEUED -> new Badge(Mark.QUIET, "Queued");
      case RUNNING -> new Badge(Mark.ACTIVE, "Running");
      case AWAITING_INPUT -> new Badge(Mark.ATTENTION, "Awaiting input");
      case COMPLETED -> new Badge(Mark.GOOD, "Completed");
      case FAILED -> new Badge(Mark.BAD, "Failed");
      case CANCELLED -> new Badge(Mark.QUIET, "Cancelled");
      case SUPERSEDED -> new Badge(Mark.QUIET, "Superseded");
      case BUDGET_EXHAUSTED -> new Badge(Mark.ATTENTION, "Budget used up");
    };
  }

  /** Short enough for a table: the end, since ids of one minute begin alike. */
  static String shortId(String id) {
    return id.substring(id.length() - 8);
  }
}
