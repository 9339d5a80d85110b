package mesh.harness;

import java.time.Clock;
import java.util.List;
import mesh.agent.Agents;
import mesh.inference.Models;
import mesh.inference.Prompt;
import mesh.run.DrivenRun;
import mesh.run.Replayability;
import mesh.run.Run;
import mesh.run.RunStatus;
import mesh.run.RunWaits;
import mesh.run.Runs;
import mesh.run.Step;
import mesh.run.Steps;
import mesh.telemetry.Telemetry;
import mesh.tool.Tool;
import mesh.tool.ToolCalls;
import mesh.tool.ToolRefusal;
import mesh.tool.Toolbox;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Drives one run: the model is asked, its reply committed, its calls are made and committed one by
 * one, again. Nothing is remembered but in committed steps, so any instance can go on after any of
 * them; whoever has lost the run finds that out at its next commit.
 */
@Component
class RunLoop {

  private static final Logger log = LoggerFactory.getLogger(RunLoop.class);
  private static final int PAGE = 500;

  private final Runs runs;
  private final Steps steps;
  private final RunWaits waits;
  private final Agents agents;
  private final Models models;
  private final Toolbox toolbox;
  private final ToolCalls calls;
  private final JsonMapper json;
  private final Telemetry telemetry;
  private final Clock clock;

  RunLoop(
      Runs runs,
      Steps steps,
      RunWaits waits,
      Agents agents,
      Models models,
      Toolbox toolbox,
      ToolCalls calls,
      JsonMapper json,
      Telemetry telemetry,
      Clock clock) {
    this.runs = runs;
    this.steps = steps;
    this.waits = waits;
    this.agents = agents;
    this.models = models;
    this.toolbox = toolbox;
    this.calls = calls;
    this.json = json;
    this.telemetry = telemetry;
    this.clock = clock;
  }

  /**
   * Returns when the run has ended, waits for somebody, or was taken over by another instance.
   *
   * @throws InterruptedException if it is to stop here; the run goes on elsewhere, or has ended
   */
  void drive(DrivenRun driven) throws InterruptedException {
    var run = runs.find(driven.run()).orElseThrow();
    try {
      var configured = json.readTree(agents.find(run.agent()).orElseThrow().model());
      var terms = LoopTerms.of(configured);
      var model = models.of(configured);
      settleWhatACrashLeft(driven);
      new Drive(driven, run, model, terms, this).toTheEnd();
    } catch (IllegalArgumentException noModel) {
      waits.stop(driven, RunStatus.FAILED, String.valueOf(noModel.getMessage()));
    } catch (ToolRefusal.RunOver over) {
      // Ended, or somebody else's.
    }
  }

  /**
   * What a dead instance began: done again where that does no harm; else nobody knows what it did,
   * the model is told so, and it is not done again.
   */
  private void settleWhatACrashLeft(DrivenRun driven) throws InterruptedException {
    int seen = 0;
    while (true) {
      var page = steps.list(driven.run(), seen, PAGE);
      for (var step : page) {
        seen = step.seq();
        if (step.status() == Step.Status.STARTED && step.awaits() == null) {
          settle(driven, step);
        }
      }
      if (page.size() < PAGE) {
        return;
      }
    }
  }

  private void settle(DrivenRun driven, Step step) throws InterruptedException {
    if (step.replayability() != Replayability.EFFECTFUL) {
      calls.again(driven, step);
      return;
    }
    var unknown =
        JsonNodeFactory.instance
            .objectNode()
            .put(
                "error",
                "Mesh was interrupted during this call: whether it took effect is unknown. Check before you do it again.")
            .put("code", "outcome_unknown");
    if (steps.finished(driven.run(), step.seq(), Step.Status.UNKNOWN, unknown)) {
      log.atInfo()
          .addKeyValue("run", driven.run())
          .addKeyValue("step", step.seq())
          .log("step outcome unknown");
    }
  }

  /** What the run can use now. */
  List<Prompt.ToolOffer> offers(Run run) {
    return toolbox.all().stream()
        .filter(tool -> tool.unavailable(run.id()).isEmpty())
        .map(Tool::description)
        .map(it -> new Prompt.ToolOffer(it.name(), it.text(), it.inputSchema()))
        .toList();
  }

  Runs runs() {
    return runs;
  }

  Steps steps() {
    return steps;
  }

  RunWaits waits() {
    return waits;
  }

  ToolCalls calls() {
    return calls;
  }

  Telemetry telemetry() {
    return telemetry;
  }

  Clock clock() {
    return clock;
  }
}
