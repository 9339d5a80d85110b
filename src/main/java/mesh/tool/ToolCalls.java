package mesh.tool;

import java.util.Optional;
import java.util.function.Function;
import mesh.redaction.RedactedJson;
import mesh.run.DrivenRun;
import mesh.run.RunId;
import mesh.run.RunOutput;
import mesh.run.RunRedactions;
import mesh.run.Step;
import mesh.run.Steps;
import mesh.telemetry.Stage;
import mesh.telemetry.Subject;
import mesh.telemetry.Telemetry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Calls tools: checks first, then commits that the call starts, calls, and commits what became of
 * it. No transaction is open during the call. The loop, the agents' API and MCP all come through
 * here.
 */
@Service
public class ToolCalls {

  private static final Logger log = LoggerFactory.getLogger(ToolCalls.class);

  private static final int LONGEST_REFUSED = 16_000;
  private static final int PREVIEW = 2_000;
  private static final int LONGEST_NAME = 100;

  private final Toolbox toolbox;
  private final Arguments arguments;
  private final Steps steps;
  private final RunRedactions redactions;
  private final Telemetry telemetry;
  private final RunOutput outputs;

  ToolCalls(
      Toolbox toolbox,
      Arguments arguments,
      Steps steps,
      RunRedactions redactions,
      Telemetry telemetry,
      RunOutput outputs) {
    this.toolbox = toolbox;
    this.arguments = arguments;
    this.steps = steps;
    this.redactions = redactions;
    this.telemetry = telemetry;
    this.outputs = outputs;
  }

  /**
   * Calls for an agent that drives its run itself.
   *
   * @throws ToolRefusal if nothing was started or it could not be done
   */
  public ObjectNode call(ToolCall call, String name) throws InterruptedException {
    return call(call, name, new Cancellation());
  }

  /**
   * As {@link #call(ToolCall, String)}, for a caller that may change its mind.
   *
   * @throws InterruptedException also if it did
   */
  public ObjectNode call(ToolCall call, String name, Cancellation cancellation)
      throws InterruptedException {
    return observed(
        call.run(),
        name,
        stage -> {
          try {
            var tool = checked(call.run(), name, call.arguments());
            return run(
                tool,
                call,
                cancellation,
                description ->
                    steps.toolStarted(
                        call.run(),
                        description.name(),
                        description.replayability(),
                        call.arguments()),
                stage);
          } catch (ToolRefusal refusal) {
            throw clean(call.run(), refusal);
          }
        });
  }

  /**
   * Calls for the loop that drives {@code driven}; what comes of it is a committed step, a refusal
   * too.
   *
   * @param id by which the model asked for it
   * @throws ToolRefusal.RunOver if the run ended or was taken over
   */
  public void call(DrivenRun driven, String id, String name, JsonNode given)
      throws InterruptedException {
    settled(driven.run(), name, stage -> called(driven, id, name, given, stage));
  }

  private ObjectNode called(DrivenRun driven, String id, String name, JsonNode given, Stage stage)
      throws InterruptedException {
    Tool tool;
    try {
      tool = checked(driven.run(), name, given);
    } catch (ToolRefusal refusal) {
      if (steps.toolRefused(driven, id, cut(name), bounded(given), refused(refusal)).isEmpty()) {
        throw new ToolRefusal.RunOver();
      }
      throw refusal;
    }
    return run(
        tool,
        new ToolCall(driven.run(), given, LiveOutput.NONE, id),
        new Cancellation(),
        description ->
            steps.toolStarted(driven, id, description.name(), description.replayability(), given),
        stage);
  }

  /**
   * Calls again for a step whose outcome was lost, where that does no harm.
   *
   * @param step a started one that is not {@link mesh.run.Replayability#EFFECTFUL}
   */
  public void again(DrivenRun driven, Step step) throws InterruptedException {
    var name = step.tool() == null ? "" : step.tool();
    settled(driven.run(), name, stage -> calledAgain(driven, name, step, stage));
  }

  private ObjectNode calledAgain(DrivenRun driven, String name, Step step, Stage stage)
      throws InterruptedException {
    var given = step.input() == null ? JsonNodeFactory.instance.objectNode() : step.input();
    var id = step.call() == null ? "" : step.call();
    Tool tool;
    try {
      tool = checked(driven.run(), name, given);
    } catch (ToolRefusal refusal) {
      steps.finished(driven.run(), step.seq(), Step.Status.FAILED, refused(refusal));
      throw refusal;
    }
    return run(
        tool,
        new ToolCall(driven.run(), given, LiveOutput.NONE, id),
        new Cancellation(),
        _ -> Optional.of(step.seq()),
        stage);
  }

  private void settled(RunId run, String name, Body body) throws InterruptedException {
    try {
      var _ = observed(run, name, body);
    } catch (ToolRefusal.RunOver over) {
      throw over;
    } catch (ToolRefusal | ToolWaits itIsInItsStep) {
      // The model reads it in its next turn, or when the result has come.
    }
  }

  /** A name that agents made up is no value of a tag. */
  private ObjectNode observed(RunId run, String name, Body body) throws InterruptedException {
    try (var stage =
        telemetry
            .begin("mesh.tool.call")
            .tag("tool", toolbox.has(name) ? name : "unknown")
            .about(Subject.RUN, run)) {
      try {
        var result = body.call(stage);
        stage.outcome("finished");
        return result;
      } catch (ToolWaits waits) {
        stage.outcome("waits");
        throw waits;
      } catch (ToolRefusal refusal) {
        stage.outcome("refused");
        stage.code(refusal.code());
        throw refusal;
      } catch (InterruptedException | LiveOutput.LiveOutputClosed cancelled) {
        stage.outcome("cancelled");
        throw cancelled;
      }
    }
  }

  /** What a model makes up can be of any size; the refusal says what was wrong with it. */
  private static JsonNode bounded(JsonNode given) {
    var text = given.toString();
    return text.length() <= LONGEST_REFUSED
        ? given
        : JsonNodeFactory.instance.stringNode(text.substring(0, PREVIEW) + "…");
  }

  private static String cut(String name) {
    return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "…";
  }

  private Tool checked(RunId run, String name, JsonNode given) {
    var tool = toolbox.named(name);
    arguments.check(tool.description(), given);
    var refusal = tool.unavailable(run);
    if (refusal.isPresent()) {
      throw refusal.get();
    }
    return tool;
  }

  private ObjectNode run(
      Tool tool,
      ToolCall call,
      Cancellation cancellation,
      Function<ToolDescription, Optional<Integer>> start,
      Stage stage)
      throws InterruptedException {
    int seq = start.apply(tool.description()).orElseThrow(ToolRefusal.RunOver::new);
    stage.about(Subject.STEP, seq);
    try (var recording = outputs.begin(call.run(), seq)) {
      var heard = call.heardBy(new RecordedOutput(recording, call.live()));
      return finished(tool, heard, cancellation, seq);
    }
  }

  private ObjectNode finished(Tool tool, ToolCall call, Cancellation cancellation, int seq)
      throws InterruptedException {
    try {
      var given = cancellation.cancellable(() -> tool.call(call));
      var result = RedactedJson.object(given, redactions.of(call.run()));
      steps.finished(call.run(), seq, Step.Status.FINISHED, result);
      return result;
    } catch (ToolWaits waits) {
      steps.awaits(call.run(), seq, waits.awaits());
      throw waits;
    } catch (ToolRefusal refusal) {
      steps.finished(call.run(), seq, Step.Status.FAILED, refused(refusal));
      throw refusal;
    } catch (InterruptedException cancelled) {
      cancelled(call.run(), seq, cancellation.why().orElse("The call was cancelled"));
      throw cancelled;
    } catch (LiveOutput.LiveOutputClosed gone) {
      cancelled(call.run(), seq, "The caller hung up, which cancelled the call");
      throw gone;
    } catch (RuntimeException broken) {
      // The step must not stay open: whoever drives the run has to learn that something happened.
      log.atError().setCause(broken).addKeyValue("run", call.run()).log("tool broke");
      steps.finished(
          call.run(),
          seq,
          Step.Status.UNKNOWN,
          problem("internal_error", "Mesh broke while the tool ran: its outcome is unknown."));
      throw broken;
    }
  }

  private void cancelled(RunId run, int seq, String what) {
    steps.finished(
        run,
        seq,
        Step.Status.UNKNOWN,
        problem("cancelled", what + "; what it had done until then stays done."));
  }

  /** A refusal quotes what the caller gave and what a vendor said. */
  private ToolRefusal clean(RunId run, ToolRefusal refusal) {
    return refusal.reworded(redactions.of(run)::apply);
  }

  private interface Body {
    ObjectNode call(Stage stage) throws InterruptedException;
  }

  private static ObjectNode refused(ToolRefusal refusal) {
    var problem = problem(refusal.code(), refusal.sentence());
    if (refusal instanceof ToolRefusal.BadArguments bad) {
      problem.put("pointer", bad.pointer());
    }
    return problem;
  }

  private static ObjectNode problem(String code, String sentence) {
    return JsonNodeFactory.instance.objectNode().put("error", sentence).put("code", code);
  }
}
