package mesh.run;

import mesh.activity.ActorId;
import mesh.web.Problem;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** People talk to runs: a message is read by the run, or takes its place. */
@Service
public class RunTalk {

  private static final int LONGEST = NewRun.MAX_INPUT;

  private final Runs runs;
  private final RunWaits waits;

  RunTalk(Runs runs, RunWaits waits) {
    this.runs = runs;
    this.waits = waits;
  }

  /**
   * The run reads it before it goes on; a run that waits for an answer goes on at once.
   *
   * @throws Problem 400 {@code text_invalid}, 404 {@code run_unknown}, 409 {@code run_ended} or
   *     {@code run_external}
   */
  @Transactional
  public Run say(RunId id, String text, ActorId by) {
    var run = driven(id, text);
    if (waits.say(id, text, by).isEmpty()) {
      throw ended(run);
    }
    return runs.find(id).orElseThrow();
  }

  /**
   * The run ends as superseded and a new one of the same agent continues it with this as its task.
   *
   * @throws Problem as {@link #say}
   */
  @Transactional
  public Run supersede(RunId id, String text, ActorId by) {
    var run = driven(id, text);
    var next =
        runs.create(
            new NewRun(
                run.agent(),
                RunMode.HARNESS,
                text,
                by,
                run.onBehalfOf(),
                run.conversation(),
                null,
                id));
    if (!runs.end(
        id, RunStatus.SUPERSEDED, "Superseded by run " + next.id().value() + ".", null, by)) {
      throw ended(run);
    }
    return next;
  }

  private Run driven(RunId id, String text) {
    if (text.isBlank() || text.length() > LONGEST || text.indexOf('\0') >= 0) {
      throw Problem.badRequest(
          "text_invalid",
          "text must be 1 to " + LONGEST + " characters that are not all blank, and hold no NUL.");
    }
    var run =
        runs.find(id)
            .orElseThrow(
                () -> Problem.notFound("run_unknown", "There is no run " + id.value() + "."));
    if (run.mode() == RunMode.EXTERNAL) {
      throw Problem.conflict(
          "run_external",
          "Run %s is driven from elsewhere: talk to its agent there.".formatted(id.value()));
    }
    return run;
  }

  private static Problem ended(Run run) {
    return Problem.conflict(
        "run_ended",
        "Run %s has ended: start a new one with \"continues\":\"%s\"."
            .formatted(run.id().value(), run.id().value()));
  }
}
