package mesh.agentapi;

import mesh.tool.ToolRefusal;
import mesh.web.Problem;

/** What a refusal is over HTTP. */
final class Refusals {

  private Refusals() {}

  static Problem problem(ToolRefusal refusal) {
    return switch (refusal) {
      case ToolRefusal.Unknown unknown -> Problem.notFound(unknown.code(), unknown.sentence());
      case ToolRefusal.BadArguments bad ->
          Problem.badRequest(bad.code(), bad.sentence()).with("pointer", bad.pointer());
      case ToolRefusal.NotPossible not -> Problem.conflict(not.code(), not.sentence());
      case ToolRefusal.TryLater later ->
          Problem.of(503, later.code(), later.sentence())
              .with("retry_after_seconds", later.after().toSeconds());
      case ToolRefusal.RunOver over -> Problem.unauthorized(over.code(), over.sentence());
    };
  }

  /** The call ended because its run did, or Mesh is stopping. */
  static Problem cancelled() {
    return Problem.conflict(
        "cancelled",
        "The call was cancelled: its run ended, its workspace was released, or Mesh is stopping. What it had done stays done.");
  }
}
