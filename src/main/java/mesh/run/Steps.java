package mesh.run;

import java.util.List;
import java.util.Optional;
import mesh.redaction.RedactedJson;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The steps of runs. Each method commits by itself, before or after the effect that it tells of and
 * never around it. Whatever a step tells, it tells without the run's secrets.
 */
@Service
public class Steps {

  private final StepRepository steps;
  private final RunFeed feed;
  private final RunRedactions redactions;
  private final ApplicationEventPublisher events;

  Steps(
      StepRepository steps,
      RunFeed feed,
      RunRedactions redactions,
      ApplicationEventPublisher events) {
    this.steps = steps;
    this.feed = feed;
    this.redactions = redactions;
    this.events = events;
  }

  /**
   * Commits that a tool is about to be called.
   *
   * @return the step's number; empty if the run has ended, and then the tool must not be called
   */
  public Optional<Integer> toolStarted(
      RunId run, String tool, Replayability replayability, JsonNode arguments) {
    return append(
        run,
        null,
        NewStep.started(tool, null, replayability, clean(run, arguments)),
        RunUsage.NONE);
  }

  /**
   * As the other, by the loop that drives the run; empty also if it was taken over.
   *
   * @param call the id by which the model asked for it
   */
  public Optional<Integer> toolStarted(
      DrivenRun driven, String call, String tool, Replayability replayability, JsonNode arguments) {
    return append(
        driven.run(),
        driven.fence(),
        NewStep.started(tool, call, replayability, clean(driven.run(), arguments)),
        RunUsage.NONE);
  }

  /**
   * Commits a call that was refused before it started; empty if the run ended or was taken over.
   */
  public Optional<Integer> toolRefused(
      DrivenRun driven, String call, String tool, JsonNode arguments, JsonNode refusal) {
    return append(
        driven.run(),
        driven.fence(),
        new NewStep(
            Step.Kind.TOOL,
            redactions.of(driven.run()).apply(tool),
            call,
            Replayability.PURE,
            Step.Status.FAILED,
            clean(driven.run(), arguments),
            clean(driven.run(), refusal)),
        RunUsage.NONE);
  }

  /** Commits that a started step waits for what nobody here is doing. */
  public void awaits(RunId run, int seq, Step.Awaits awaits) {
    steps.awaits(run, seq, awaits);
    feed.changed(run);
  }

  /** Commits what became of a started step. False if it is not started any more. */
  public boolean finished(RunId run, int seq, Step.Status status, JsonNode output) {
    var done = steps.finish(run, seq, status, clean(run, output));
    feed.changed(run);
    return done;
  }

  /**
   * Commits what the model replied and what it took; empty if the run ended or was taken over, and
   * then the reply is lost.
   */
  public Optional<Integer> modelReplied(DrivenRun driven, JsonNode reply, RunUsage took) {
    var told = clean(driven.run(), reply);
    if (told instanceof ObjectNode whole && !told.path("kept").equals(reply.path("kept"))) {
      // Signed by the model's service: with a secret cut out it would not be taken back.
      whole.remove("kept");
    }
    return append(driven.run(), driven.fence(), NewStep.said(Step.Kind.MODEL, told), took);
  }

  /** Has Mesh itself say something to the model; empty if the run ended or was taken over. */
  public Optional<Integer> toldModel(DrivenRun driven, String text) {
    return append(
        driven.run(),
        driven.fence(),
        NewStep.said(
            Step.Kind.MESSAGE,
            JsonNodeFactory.instance.objectNode().put("text", text).put("by", "mesh")),
        RunUsage.NONE);
  }

  /**
   * Tells whoever asked for the run something; empty if the run has ended. Publishes {@link
   * RunNoticed}.
   *
   * @param notice with a {@code text}, and a word for programs in {@code notice}
   */
  @Transactional
  public Optional<Integer> notice(RunId run, JsonNode notice) {
    var told = clean(run, notice);
    var seq = append(run, null, NewStep.said(Step.Kind.NOTICE, told), RunUsage.NONE);
    seq.ifPresent(number ->
        events.publishEvent(
            new RunNoticed(
                run, number, told.path("notice").asString(""), told.path("text").asString(""))));
    return seq;
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

  private Optional<Integer> append(RunId run, @Nullable Long fence, NewStep step, RunUsage took) {
    var seq = steps.append(run, fence, step, took);
    feed.changed(run);
    return seq;
  }
}
