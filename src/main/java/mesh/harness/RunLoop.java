package mesh.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import mesh.activity.ActorId;
import mesh.agent.Agents;
import mesh.inference.Message;
import mesh.inference.Model;
import mesh.inference.Models;
import mesh.inference.Prompt;
import mesh.inference.Reply;
import mesh.run.DrivenRun;
import mesh.run.Run;
import mesh.run.RunStatus;
import mesh.run.Runs;
import mesh.run.Step;
import mesh.run.Steps;
import mesh.tool.ToolCalls;
import mesh.tool.ToolRefusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Drives one run to its end: the model says what next, the tool is called, the result is committed,
 * again. What happened is read back from the committed steps each time, so any instance can take
 * over after any of them.
 */
@Component
class RunLoop {

  private static final Logger log = LoggerFactory.getLogger(RunLoop.class);

  /** Most tool calls of one run. */
  static final int MAX_CALLS = 200;

  private static final int PAGE = 500;

  private final Runs runs;
  private final Steps steps;
  private final Agents agents;
  private final Models models;
  private final ToolCalls calls;
  private final JsonMapper json;

  RunLoop(Runs runs, Steps steps, Agents agents, Models models, ToolCalls calls, JsonMapper json) {
    this.runs = runs;
    this.steps = steps;
    this.agents = agents;
    this.models = models;
    this.calls = calls;
    this.json = json;
  }

  /**
   * Returns when the run has ended, or was taken over by another instance.
   *
   * @throws InterruptedException if it is to stop here; the run goes on elsewhere, or has ended
   */
  void drive(DrivenRun driven) throws InterruptedException {
    var run = runs.find(driven.run()).orElseThrow();
    Optional<Model> model = model(run);
    if (model.isEmpty()) {
      return;
    }
    closeWhatACrashLeft(driven);
    while (turn(driven, run, model.get())) {
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedException();
      }
    }
  }

  private Optional<Model> model(Run run) {
    try {
      var agent = agents.find(run.agent()).orElseThrow();
      return Optional.of(models.of(json.readTree(agent.model())));
    } catch (IllegalArgumentException noModel) {
      end(run, RunStatus.FAILED, String.valueOf(noModel.getMessage()), "");
      return Optional.empty();
    }
  }

  /** One iteration; false when there is nothing more to do here. */
  private boolean turn(DrivenRun driven, Run run, Model model) throws InterruptedException {
    var transcript = transcript(run);
    if (transcript.size() > MAX_CALLS) {
      end(run, RunStatus.BUDGET_EXHAUSTED, "I stopped after " + MAX_CALLS + " tool calls.", "");
      return false;
    }
    var reply = model.next(new Prompt("", transcript, List.of()));
    if (reply.stop() == Reply.Stop.CALLS) {
      return call(driven, reply);
    }
    boolean done = reply.stop() == Reply.Stop.DONE;
    if (steps.modelSaid(driven, said(reply.text())).isPresent()) {
      end(
          run,
          done ? RunStatus.COMPLETED : RunStatus.FAILED,
          done ? "The agent finished its task." : reply.text(),
          reply.text());
    }
    return false;
  }

  private boolean call(DrivenRun driven, Reply reply) throws InterruptedException {
    if (!reply.text().isEmpty() && steps.modelSaid(driven, said(reply.text())).isEmpty()) {
      return false;
    }
    var call = reply.calls().getFirst();
    try {
      var _ = calls.call(driven, call.tool(), call.arguments());
      return true;
    } catch (ToolRefusal.RunOver over) {
      return false;
    } catch (ToolRefusal refusal) {
      // It is a committed step: the model reads it in the next turn.
      return true;
    }
  }

  private List<Message> transcript(Run run) {
    var past = new ArrayList<Message>();
    past.add(new Message.Asked(run.input()));
    int seen = 0;
    while (true) {
      var page = steps.list(run.id(), seen, PAGE);
      for (var step : page) {
        seen = step.seq();
        if (step.kind() == Step.Kind.TOOL) {
          past.add(new Message.Results(List.of(result(step))));
        }
      }
      if (page.size() < PAGE) {
        return past;
      }
    }
  }

  private static Message.Result result(Step step) {
    var tool = step.tool();
    return new Message.Result(
        "call-" + step.seq(),
        tool == null ? "" : tool,
        step.status() != Step.Status.FINISHED,
        orEmpty(step.output()),
        "");
  }

  /** A call that a dead instance began: nobody knows what it did, and it is not made again. */
  private void closeWhatACrashLeft(DrivenRun driven) {
    int seen = 0;
    while (true) {
      var page = steps.list(driven.run(), seen, PAGE);
      for (var step : page) {
        seen = step.seq();
        if (step.status() == Step.Status.STARTED) {
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
      }
      if (page.size() < PAGE) {
        return;
      }
    }
  }

  private void end(Run run, RunStatus status, String reason, String summary) {
    runs.end(run.id(), status, reason, summary.isEmpty() ? null : summary, ActorId.SYSTEM);
  }

  private static JsonNode said(String text) {
    return JsonNodeFactory.instance.objectNode().put("text", text);
  }

  private static JsonNode orEmpty(@org.jspecify.annotations.Nullable JsonNode node) {
    return node == null ? JsonNodeFactory.instance.objectNode() : node;
  }
}
