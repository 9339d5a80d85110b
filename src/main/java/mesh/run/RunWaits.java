package mesh.run;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import mesh.activity.ActorId;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Runs that wait for somebody, without a thread and without a lease, and what is said to runs while
 * they are under way. Every decision is made under the lock of the run's row, so that nothing said
 * is lost between a look and an end.
 */
@Service
public class RunWaits {

  private final WaitRepository waits;
  private final StepRepository steps;
  private final Runs runs;
  private final RunFeed feed;
  private final RunRedactions redactions;
  private final ApplicationEventPublisher events;
  private final Supplier<UUID> ids;

  RunWaits(
      WaitRepository waits,
      StepRepository steps,
      Runs runs,
      RunFeed feed,
      RunRedactions redactions,
      ApplicationEventPublisher events,
      Supplier<UUID> ids) {
    this.waits = waits;
    this.steps = steps;
    this.runs = runs;
    this.feed = feed;
    this.redactions = redactions;
    this.events = events;
    this.ids = ids;
  }

  /** What became of the wish to wait. */
  public enum Parked {
    /** The run waits; whoever drove it lets go of it. */
    WAITS,
    /** What it waited for is there: it goes on at once. */
    GOES_ON,
    /** It has ended, or somebody else drives it. */
    OVER
  }

  /** What became of the wish to end. */
  public enum Finished {
    ENDED,
    /** Somebody said something that nobody has read. */
    SPOKEN_TO,
    /** It had ended, or somebody else drives it. */
    OVER
  }

  /** Waits until all steps that wait have what they wait for. */
  @Transactional
  public Parked park(DrivenRun driven) {
    var run = driven.run();
    if (!waits.lock(run).filter(it -> it.isDrivenBy(driven)).isPresent()) {
      return Parked.OVER;
    }
    answerFromWhatWasSaid(run);
    var awaiting = steps.awaiting(run);
    if (awaiting.isEmpty()) {
      return Parked.GOES_ON;
    }
    waits.park(run);
    feed.changed(run);
    awaiting.stream()
        .filter(step -> step.awaits() == Step.Awaits.ANSWER)
        .findFirst()
        .ifPresent(step ->
            events.publishEvent(
                new RunAwaitsInput(run, runs.find(run).orElseThrow().agent(), question(step))));
    return Parked.WAITS;
  }

  private static String question(Step step) {
    var input = step.input();
    return input == null ? "" : input.path("question").asString("");
  }

  /**
   * Says something to a run: the answer it waits for, or what it reads before it goes on.
   *
   * @return whether it goes on because of that; empty if it has ended
   */
  @Transactional
  public Optional<Boolean> say(RunId run, String text, ActorId by) {
    var locked = waits.lock(run);
    if (locked.isEmpty() || locked.get().status().isTerminal()) {
      return Optional.empty();
    }
    waits.insert(ids.get(), run, by, text);
    boolean goesOn = false;
    if (locked.get().status() == RunStatus.AWAITING_INPUT) {
      answerFromWhatWasSaid(run);
      goesOn = goOnIfNothingIsAwaited(run);
    }
    feed.changed(run);
    return Optional.of(goesOn);
  }

  /** All that was said answers the question that was asked first. */
  private void answerFromWhatWasSaid(RunId run) {
    var question =
        steps.awaiting(run).stream()
            .filter(step -> step.awaits() == Step.Awaits.ANSWER)
            .findFirst();
    var unread = waits.unread(run);
    if (question.isEmpty() || unread.isEmpty()) {
      return;
    }
    var answer = JsonNodeFactory.instance.objectNode();
    answer.put("answer", joined(run, unread.stream().map(WaitRepository.Unread::text).toList()));
    answer.put("by", unread.getLast().by());
    if (steps.finish(run, question.get().seq(), Step.Status.FINISHED, answer)) {
      unread.forEach(message -> waits.read(message.id(), question.get().seq()));
    }
  }

  private String joined(RunId run, List<String> texts) {
    return redactions.of(run).apply(String.join("\n\n", texts));
  }

  /**
   * Commits what was said since the last look as steps for the model to read.
   *
   * @return how many; 0 also if the run ended or was taken over
   */
  @Transactional
  public int take(DrivenRun driven) {
    var run = driven.run();
    if (waits.lock(run).filter(it -> it.isDrivenBy(driven)).isEmpty()) {
      return 0;
    }
    var unread = waits.unread(run);
    for (var message : unread) {
      var said =
          JsonNodeFactory.instance
              .objectNode()
              .put("text", redactions.of(run).apply(message.text()))
              .put("by", message.by());
      steps
          .append(run, driven.fence(), NewStep.said(Step.Kind.MESSAGE, said), RunUsage.NONE)
          .ifPresent(seq -> waits.read(message.id(), seq));
    }
    if (!unread.isEmpty()) {
      feed.changed(run);
    }
    return unread.size();
  }

  /**
   * Ends a run that its driver is done with, unless somebody said something meanwhile.
   *
   * @param status a terminal one
   */
  @Transactional
  public Finished finish(DrivenRun driven, RunStatus status, String reason, String summary) {
    if (waits.lock(driven.run()).filter(it -> it.isDrivenBy(driven)).isEmpty()) {
      return Finished.OVER;
    }
    if (!waits.unread(driven.run()).isEmpty()) {
      return Finished.SPOKEN_TO;
    }
    runs.end(driven.run(), status, reason, summary.isEmpty() ? null : summary, ActorId.SYSTEM);
    return Finished.ENDED;
  }

  /**
   * Ends a run whatever was said meanwhile, unless it had ended or somebody else drives it: what
   * one driver found may not be so for the next.
   *
   * @param status a terminal one
   */
  @Transactional
  public void stop(DrivenRun driven, RunStatus status, String reason) {
    if (waits.lock(driven.run()).filter(it -> it.isDrivenBy(driven)).isPresent()) {
      runs.end(driven.run(), status, reason, null, ActorId.SYSTEM);
    }
  }

  /** Gives a waiting step what it waited for, inside the transaction that has it. */
  void settle(RunId run, int seq, Step.Status status, JsonNode output) {
    if (waits.lock(run).filter(it -> !it.status().isTerminal()).isEmpty()) {
      return;
    }
    steps.finish(run, seq, status, output);
    var _ = goOnIfNothingIsAwaited(run);
    feed.changed(run);
  }

  private boolean goOnIfNothingIsAwaited(RunId run) {
    if (!steps.awaiting(run).isEmpty()) {
      return false;
    }
    waits.queue(run);
    events.publishEvent(new RunQueued(run));
    return true;
  }
}
