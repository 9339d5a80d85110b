package mesh.agentapi;

import mesh.access.RunCaller;
import mesh.activity.ActorId;
import mesh.run.RunId;
import mesh.run.RunStatus;
import mesh.run.Runs;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Lets an agent that drives its run itself end it. */
@RestController
class FinishController {

  private static final int MAX_SUMMARY = 100_000;

  private final Runs runs;

  FinishController(Runs runs) {
    this.runs = runs;
  }

  /** The token dies with the run, in the same transaction. */
  @PostMapping("/api/agent/finish")
  Finished finish(@RequestBody Finish finish, @AuthenticationPrincipal RunCaller caller) {
    var status = status(finish.status());
    var summary = finish.summary() == null ? "" : finish.summary();
    if (summary.length() > MAX_SUMMARY || summary.indexOf('\0') >= 0) {
      throw Problem.badRequest(
          "summary_invalid",
          "summary must be at most " + MAX_SUMMARY + " characters and hold no NUL.");
    }
    var reason =
        status == RunStatus.COMPLETED
            ? "The agent finished its task."
            : "The agent gave up on its task.";
    if (!runs.end(new RunId(caller.run()), status, reason, summary, ActorId.SYSTEM)) {
      throw Problem.unauthorized("run_ended", "The run has ended.");
    }
    return new Finished(status.word());
  }

  private static RunStatus status(@Nullable String word) {
    if ("completed".equals(word)) {
      return RunStatus.COMPLETED;
    }
    if ("failed".equals(word)) {
      return RunStatus.FAILED;
    }
    throw Problem.badRequest(
        "status_invalid", "status must be 'completed' or 'failed', not '" + word + "'.");
  }

  record Finish(@Nullable String status, @Nullable String summary) {}

  record Finished(String status) {}
}
