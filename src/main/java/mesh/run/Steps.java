package mesh.run;

import java.util.List;
import java.util.Optional;
import mesh.redaction.RedactedJson;
import org.springframework.stereotype.Service;
import tools.jackson.databind.JsonNode;

/**
 * The steps of runs. Each method commits by itself, before or after the effect that it tells of and
 * never around it. Whatever a step tells, it tells without the run's secrets.
 */
@Service
public class Steps {

  private final StepRepository steps;
  private final RunFeed feed;
  private final RunRedactions redactions;

  Steps(StepRepository steps, RunFeed feed, RunRedactions redactions) {
    this.steps = steps;
    this.feed = feed;
    this.redactions = redactions;
  }

  /**
   * Commits that a tool is about to be called.
   *
   * @return the step's number; empty if the run has ended, and then the tool must not be called
   */
  public Optional<Integer> toolStarted(
      RunId run, String tool, Replayability replayability, JsonNode arguments) {
    return announced(
        run,
        steps.append(
            run,
            null,
            Step.Kind.TOOL,
            tool,
            replayability,
            Step.Status.STARTED,
            clean(run, arguments),
            null));
  }

  /** As {@link #toolStarted}, by the loop that drives the run; empty also if it was taken over. */
  public Optional<Integer> toolStarted(
      DrivenRun driven, String tool, Replayability replayability, JsonNode arguments) {
    return announced(
        driven.run(),
        steps.append(
            driven.run(),
            driven.fence(),
            Step.Kind.TOOL,
            tool,
            replayability,
            Step.Status.STARTED,
            clean(driven.run(), arguments),
            null));
  }

  /**
   * Commits a call that was refused before it started; empty if the run ended or was taken over.
   */
  public Optional<Integer> toolRefused(
      DrivenRun driven, String tool, JsonNode arguments, JsonNode refusal) {
    return announced(
        driven.run(),
        steps.append(
            driven.run(),
            driven.fence(),
            Step.Kind.TOOL,
            redactions.of(driven.run()).apply(tool),
            Replayability.PURE,
            Step.Status.FAILED,
            clean(driven.run(), arguments),
            clean(driven.run(), refusal)));
  }

  /** Commits what became of a started step. False if it is not started any more. */
  public boolean finished(RunId run, int seq, Step.Status status, JsonNode output) {
    var done = steps.finish(run, seq, status, clean(run, output));
    feed.changed(run);
    return done;
  }

  /** Commits what the model said; empty if the run ended or was taken over. */
  public Optional<Integer> modelSaid(DrivenRun driven, JsonNode turn) {
    return announced(
        driven.run(),
        steps.append(
            driven.run(),
            driven.fence(),
            Step.Kind.MODEL,
            null,
            null,
            Step.Status.FINISHED,
            null,
            clean(driven.run(), turn)));
  }

  /** Tells whoever asked for the run something; empty if the run has ended. */
  public Optional<Integer> notice(RunId run, JsonNode notice) {
    return announced(
        run,
        steps.append(
            run,
            null,
            Step.Kind.NOTICE,
            null,
            null,
            Step.Status.FINISHED,
            null,
            clean(run, notice)));
  }

  /** Steps numbered above {@code after}, oldest first. */
  public List<Step> list(RunId run, int after, int limit) {
    return steps.list(run, after, limit);
  }

  /** Those of {@code seqs} that exist, oldest first. */
  public List<Step> find(RunId run, List<Integer> seqs) {
    return steps.find(run, seqs);
  }

  private JsonNode clean(RunId run, JsonNode told) {
    return RedactedJson.of(told, redactions.of(run));
  }

  private Optional<Integer> announced(RunId run, Optional<Integer> seq) {
    feed.changed(run);
    return seq;
  }
}
