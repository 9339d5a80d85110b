package mesh.harness;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import mesh.fault.FaultPoint;
import mesh.inference.Model;
import mesh.inference.ModelException;
import mesh.inference.Prompt;
import mesh.inference.Reply;
import mesh.run.DrivenRun;
import mesh.run.Run;
import mesh.run.RunChanges;
import mesh.run.RunStatus;
import mesh.run.RunWaits;
import mesh.telemetry.Subject;
import mesh.tool.ToolRefusal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One instance's time with one run. Used by one thread. */
final class Drive {

  private static final Logger log = LoggerFactory.getLogger(Drive.class);

  /** Cut-off replies in a row. */
  private static final int MOST_CUT_OFF = 3;

  /** How often less is shown to a model whose service counts more tokens than we do. */
  private static final int MOST_TOO_LONG = 4;

  private static final double LESS = 0.7;

  private final DrivenRun driven;
  private final Model model;
  private final LoopTerms terms;
  private final RunLoop loop;
  private final String system;
  private final String opening;

  /** What created the run, in a trace; null if that is in none. */
  private final @Nullable String cause;

  private RunChanges changes;
  private Transcript transcript;
  private Run run;
  private long window;
  private int told;

  Drive(DrivenRun driven, Run run, Model model, LoopTerms terms, RunLoop loop) {
    this.driven = driven;
    this.run = run;
    this.model = model;
    this.terms = terms;
    this.loop = loop;
    this.system = SystemPrompt.of(terms.instructions());
    this.opening = Opening.of(run, loop.runs());
    this.cause = loop.runs().traceparent(run.id());
    this.window = model.window().prompt();
    this.changes = new RunChanges(loop.runs(), loop.steps(), run.id(), 0);
    this.transcript = new Transcript(opening, new ContextWindow(forMessages()));
  }

  /** Without what is always there: the instructions, and the tools with their schemas. */
  private long forMessages() {
    return Math.max(1, window - system.length() / 3 - window / 10);
  }

  void toTheEnd() throws InterruptedException {
    boolean goesOn = true;
    while (goesOn) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
      try (var turn =
          loop.telemetry().begin("mesh.harness.turn", cause).about(Subject.RUN, run.id())) {
        read();
        goesOn = goesOn();
        turn.outcome(goesOn ? "went_on" : "let_go");
      }
    }
  }

  private void read() {
    var changed = changes.next();
    run = changed.run();
    changed.steps().forEach(transcript::add);
  }

  /** One commit further; false when there is nothing more to do here. */
  private boolean goesOn() throws InterruptedException {
    if (run.hasEnded()) {
      return false;
    }
    var call = transcript.nextCall();
    if (call.isPresent()) {
      return call(call.get());
    }
    if (transcript.waits()) {
      return loop.waits().park(driven) == RunWaits.Parked.GOES_ON;
    }
    if (loop.waits().take(driven) > 0) {
      return true;
    }
    var end = transcript.end();
    if (end.isPresent()) {
      return ended(end.get());
    }
    var stop = reasonToStop();
    if (stop.isPresent()) {
      loop.waits().stop(driven, stop.get().status(), stop.get().reason());
      return false;
    }
    return warned() || asked();
  }

  private boolean call(Reply.Call call) throws InterruptedException {
    var stop = tooManyCalls();
    if (stop.isPresent()) {
      loop.waits().stop(driven, stop.get().status(), stop.get().reason());
      return false;
    }
    FaultPoint.CALL_CHOSEN.hit();
    try {
      loop.calls().call(driven, call.id(), call.tool(), call.arguments());
      FaultPoint.CALL_COMMITTED.hit();
      return true;
    } catch (ToolRefusal.RunOver over) {
      return false;
    }
  }

  /** A reply that ends the run, unless it was cut off or somebody said something meanwhile. */
  private boolean ended(Reply reply) {
    if (reply.stop() == Reply.Stop.LENGTH) {
      if (transcript.cutOff() >= MOST_CUT_OFF) {
        loop.waits()
            .stop(
                driven,
                RunStatus.FAILED,
                "The model ran into the limit of a reply's length %d times in a row: raise reply_tokens."
                    .formatted(MOST_CUT_OFF));
        return false;
      }
      return loop.steps()
          .toldModel(
              driven,
              "Your reply was cut off at the limit of its length. Go on from there, in smaller pieces.")
          .isPresent();
    }
    boolean done = reply.stop() != Reply.Stop.GAVE_UP;
    var finished =
        loop.waits()
            .finish(
                driven,
                done ? RunStatus.COMPLETED : RunStatus.FAILED,
                done ? "The agent finished its task." : gaveUp(reply.text()),
                reply.text());
    return finished == RunWaits.Finished.SPOKEN_TO;
  }

  private static String gaveUp(String text) {
    return text.isBlank() ? "The model declined to go on." : text;
  }

  private boolean asked() throws InterruptedException {
    Reply reply;
    try {
      reply = reply();
    } catch (ModelException failed) {
      log.atWarn()
          .addKeyValue("run", run.id())
          .addKeyValue("why", failed.sentence())
          .log("model gave no reply");
      loop.waits().stop(driven, RunStatus.FAILED, failed.sentence());
      return false;
    }
    FaultPoint.REPLY_UNRECORDED.hit();
    var committed =
        loop.steps().modelReplied(driven, Replies.json(reply), Replies.took(reply)).isPresent();
    FaultPoint.REPLY_COMMITTED.hit();
    return committed;
  }

  private Reply reply() throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try (var asking = loop.telemetry().begin("mesh.harness.reply").about(Subject.RUN, run.id())) {
        var reply = model.next(new Prompt(system, transcript.messages(), loop.offers(run)));
        asking.outcome("replied");
        return reply;
      } catch (ModelException.TooLong tooLong) {
        if (attempt == MOST_TOO_LONG) {
          throw tooLong;
        }
        showLess();
      }
    }
  }

  private void showLess() {
    window = (long) (window * LESS);
    changes = new RunChanges(loop.runs(), loop.steps(), run.id(), 0);
    transcript = new Transcript(opening, new ContextWindow(forMessages()));
    read();
  }

  /** Tells the model once that it turns in a circle; true if it did. */
  private boolean warned() {
    int times = transcript.repeats().times();
    if (times != Repeats.TELLING || told == transcript.toolCalls()) {
      return false;
    }
    told = transcript.toolCalls();
    return loop.steps()
        .toldModel(
            driven,
            "The same call of %s has failed the same way %d times in a row. After %d the run is ended: do something else, or say what is in the way."
                .formatted(transcript.repeats().tool(), times, Repeats.MOST))
        .isPresent();
  }

  private Optional<Ending> reasonToStop() {
    return tooManyCalls().or(this::tooLong).or(this::tooManyTokens).or(this::inACircle);
  }

  private Optional<Ending> tooManyCalls() {
    return transcript.toolCalls() >= terms.maxSteps()
        ? Ending.exhausted(
            "I stopped after %,d tool calls, as many as one of my runs may make."
                .formatted(transcript.toolCalls()))
        : Optional.empty();
  }

  private Optional<Ending> tooManyTokens() {
    long used = run.usage().tokens();
    return run.share().tokensLeft(terms.maxTokens(), used) == 0
        ? Ending.exhausted(
            "I stopped after %,d tokens, as many as this run may use.".formatted(used))
        : Optional.empty();
  }

  private Optional<Ending> tooLong() {
    Instant started = run.startedAt() == null ? run.createdAt() : run.startedAt();
    var worked = Duration.between(started, loop.clock().instant()).minus(run.waited());
    return worked.compareTo(terms.maxTime()) >= 0
        ? Ending.exhausted(
            "I stopped after %s, as long as one of my runs may take.".formatted(words(worked)))
        : Optional.empty();
  }

  private static String words(Duration time) {
    return time.compareTo(Duration.ofMinutes(2)) < 0
        ? time.toSeconds() + " seconds"
        : time.toMinutes() + " minutes";
  }

  private Optional<Ending> inACircle() {
    var repeats = transcript.repeats();
    return repeats.times() >= Repeats.MOST
        ? Optional.of(
            new Ending(
                RunStatus.FAILED,
                "I stopped because the same call of %s failed the same way %d times in a row."
                    .formatted(repeats.tool(), repeats.times())))
        : Optional.empty();
  }

  private record Ending(RunStatus status, String reason) {

    static Optional<Ending> exhausted(String reason) {
      return Optional.of(new Ending(RunStatus.BUDGET_EXHAUSTED, reason));
    }
  }
}
