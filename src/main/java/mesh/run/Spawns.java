package mesh.run;

import java.util.List;
import java.util.Optional;
import mesh.activity.ActorId;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Runs that runs spawn: children of the same agent, each with a workspace of its own and a part of
 * the parent's budget. What a child did not use goes back; a child does not outlive its parent.
 */
@Service
public class Spawns {

  /** Of one run at a time. */
  public static final int MOST_CHILDREN = 8;

  /** Runs above the last that may spawn. */
  public static final int DEEPEST = 3;

  private static final int BATCH = 50;

  private final Runs runs;
  private final SpawnRepository spawns;
  private final WaitRepository locks;
  private final RunWaits waits;
  private final RunWorkspaces workspaces;

  Spawns(
      Runs runs,
      SpawnRepository spawns,
      WaitRepository locks,
      RunWaits waits,
      RunWorkspaces workspaces) {
    this.runs = runs;
    this.spawns = spawns;
    this.locks = locks;
    this.waits = waits;
    this.workspaces = workspaces;
  }

  /** Why a run may not spawn another. */
  public enum Refusal {
    TOO_MANY,
    TOO_DEEP,
    NO_BUDGET,
    OVER
  }

  /** The child, or why there is none. */
  public sealed interface Spawned {
    record Child(RunId run) implements Spawned {}

    record Refused(Refusal why) implements Spawned {}
  }

  /**
   * The child of a call, made unless the call was made before.
   *
   * @param part of what is left of the parent's budget, above 0 and at most 1
   * @param agentTokens what a run of the agent may use, where nothing else is said
   * @param agentCompute the same in seconds
   */
  @Transactional
  public Spawned spawn(
      RunId parent, String call, String task, double part, long agentTokens, int agentCompute) {
    if (locks.lock(parent).filter(it -> !it.status().isTerminal()).isEmpty()) {
      return new Spawned.Refused(Refusal.OVER);
    }
    var before = spawns.of(parent, call);
    if (before.isPresent()) {
      return new Spawned.Child(before.get());
    }
    if (spawns.alive(parent) >= MOST_CHILDREN) {
      return new Spawned.Refused(Refusal.TOO_MANY);
    }
    if (spawns.depth(parent) >= DEEPEST) {
      return new Spawned.Refused(Refusal.TOO_DEEP);
    }
    var run = runs.find(parent).orElseThrow();
    long tokens = (long) (part * run.share().tokensLeft(agentTokens, run.usage().tokens()));
    int compute = (int) (part * run.share().computeLeft(agentCompute, compute(parent)));
    if (tokens < 1 || compute < 1) {
      return new Spawned.Refused(Refusal.NO_BUDGET);
    }
    var child =
        runs.create(
            new NewRun(
                run.agent(),
                RunMode.HARNESS,
                task,
                ActorId.SYSTEM,
                run.onBehalfOf(),
                null,
                parent,
                null));
    spawns.adopt(child.id(), parent, call, tokens, compute);
    return new Spawned.Child(child.id());
  }

  /** In the transaction of the child's end, so that the parent cannot miss it. */
  @EventListener
  void ended(RunEnded ended) {
    spawns
        .spawned(ended.run())
        .ifPresent(child -> {
          var output =
              JsonNodeFactory.instance
                  .objectNode()
                  .put("run", ended.run().value().toString())
                  .put("status", ended.status().word())
                  .put("reason", ended.reason());
          child.summary().ifPresent(summary -> output.put("summary", summary));
          waits.settle(child.parent(), child.seq(), Step.Status.FINISHED, output);
          int compute = child.computeGiven() + (int) Math.ceil(compute(ended.run()));
          spawns.give(
              child.parent(),
              child.tokens() - child.tokenShare(),
              Math.min(compute, child.computeShare()) - child.computeShare());
        });
  }

  /** Ends runs whose parent has ended. Idempotent; may be called at any time. */
  public void endOrphans() {
    for (var orphan : spawns.orphans(BATCH)) {
      runs.end(
          orphan,
          RunStatus.CANCELLED,
          "The run that spawned this one has ended.",
          null,
          ActorId.SYSTEM);
    }
  }

  private double compute(RunId run) {
    return Optional.ofNullable(workspaces.of(List.of(run)).get(run))
        .map(RunWorkspaces.RunWorkspace::computeSeconds)
        .orElse(0.0);
  }
}
