package mesh.harness;

import java.util.List;
import java.util.Optional;
import mesh.agent.Agents;
import mesh.run.Replayability;
import mesh.run.RunId;
import mesh.run.Runs;
import mesh.run.Spawns;
import mesh.run.Step;
import mesh.tool.Tool;
import mesh.tool.ToolCall;
import mesh.tool.ToolDescription;
import mesh.tool.ToolRefusal;
import mesh.tool.ToolWaits;
import org.springframework.stereotype.Component;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Hands part of the task to a run of the same agent, and waits for what it says at its end. */
@Component
class SpawnTool implements Tool {

  private static final double PART = 0.25;

  private final DrivenOnly driven;
  private final Spawns spawns;
  private final Runs runs;
  private final Agents agents;
  private final JsonMapper json;
  private final ToolDescription description;

  SpawnTool(DrivenOnly driven, Spawns spawns, Runs runs, Agents agents, JsonMapper json) {
    this.driven = driven;
    this.spawns = spawns;
    this.runs = runs;
    this.agents = agents;
    this.json = json;
    this.description =
        new ToolDescription(
            "spawn",
            """
            Gives a part of your task to another run of yourself, with a new, empty workspace of its \
            own, and waits until it has ended; its summary is the result. Several calls in one reply \
            work side by side. It knows only what you write in task, and takes its budget from yours.\
            """,
            json.readTree(
                """
                {"type":"object","additionalProperties":false,"required":["task"],
                 "properties":{
                   "task":{"type":"string","minLength":1,"maxLength":100000},
                   "budget_share":{"type":"number","exclusiveMinimum":0,"maximum":1,"default":0.25,
                     "description":"Part of what is left of your own budget."}}}
                """),
            List.of(),
            Replayability.IDEMPOTENT);
  }

  @Override
  public ToolDescription description() {
    return description;
  }

  @Override
  public boolean isOfferedTo(RunId run) {
    return driven.refusal(run).isEmpty();
  }

  @Override
  public Optional<ToolRefusal.NotPossible> unavailable(RunId run) {
    return driven.refusal(run);
  }

  @Override
  public ObjectNode call(ToolCall call) {
    var agent = agents.find(runs.find(call.run()).orElseThrow().agent()).orElseThrow();
    var spawned =
        spawns.spawn(
            call.run(),
            call.id(),
            call.arguments().get("task").asString(),
            call.arguments().path("budget_share").asDouble(PART),
            LoopTerms.of(json.readTree(agent.model())).maxTokens(),
            agent.maxComputeSeconds());
    throw switch (spawned) {
      case Spawns.Spawned.Child _ -> new ToolWaits(Step.Awaits.RUN);
      case Spawns.Spawned.Refused(var why) -> refusal(why);
    };
  }

  private static ToolRefusal refusal(Spawns.Refusal why) {
    return switch (why) {
      case TOO_MANY ->
          new ToolRefusal.NotPossible(
              "spawn_too_many",
              "You have %d runs under way, as many as you may: wait until one has ended."
                  .formatted(Spawns.MOST_CHILDREN));
      case TOO_DEEP ->
          new ToolRefusal.NotPossible(
              "spawn_too_deep",
              "You were spawned yourself, %d runs deep: do this part yourself."
                  .formatted(Spawns.DEEPEST));
      case NO_BUDGET ->
          new ToolRefusal.NotPossible(
              "spawn_no_budget", "That part of your budget is nothing: do this yourself.");
      case OVER -> new ToolRefusal.RunOver();
    };
  }
}
