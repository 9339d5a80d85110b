package mesh.run;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import mesh.access.RunTokens;
import mesh.activity.ActorId;
import mesh.agent.Agent;
import mesh.agent.Agents;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** Starts runs as callers ask for them. */
@Component
class RunStarts {

  private final Runs runs;
  private final Agents agents;
  private final RunTokens tokens;
  private final RunWorkspaces workspaces;

  RunStarts(Runs runs, Agents agents, RunTokens tokens, RunWorkspaces workspaces) {
    this.runs = runs;
    this.agents = agents;
    this.tokens = tokens;
    this.workspaces = workspaces;
  }

  /** The run, and the token of an external one: both or neither are committed. */
  @Transactional
  Started start(NewRunJson asked, ActorId by) {
    var run = runs.create(checked(asked, by));
    // Read here, before anybody can drive the run: the answer is one state and not two.
    return new Started(
        run,
        Optional.ofNullable(workspaces.of(List.of(run.id())).get(run.id())),
        run.mode() == RunMode.EXTERNAL
            ? Optional.of(tokens.issue(run.id().value()).reveal())
            : Optional.empty());
  }

  private NewRun checked(NewRunJson asked, ActorId by) {
    var input = asked.input() == null ? "" : asked.input();
    if (input.length() > NewRun.MAX_INPUT || input.indexOf('\0') >= 0) {
      throw Problem.badRequest(
          "input_invalid",
          "input must be at most " + NewRun.MAX_INPUT + " characters and hold no NUL.");
    }
    var agent = agent(asked.agent());
    return new NewRun(
        agent.id(),
        mode(asked.mode()),
        input,
        by,
        asked.onBehalfOf(),
        asked.conversation(),
        known(asked.parentRun(), "parent_run", true),
        continued(asked.continues(), agent));
  }

  /** What an agent left, with the traces of its credentials, is for that agent alone. */
  private @Nullable RunId continued(@Nullable UUID id, Agent agent) {
    var run = known(id, "continues", false);
    if (run != null && !runs.find(run).orElseThrow().agent().equals(agent.id())) {
      throw Problem.badRequest(
          "continues_other_agent",
          "continues: run %s is of another agent: a run continues only runs of its own agent."
              .formatted(id));
    }
    return run;
  }

  private Agent agent(@Nullable String slug) {
    if (slug == null) {
      throw Problem.badRequest("agent_required", "agent is missing: name the slug of an agent.");
    }
    return agents
        .find(slug)
        .orElseThrow(
            () -> Problem.badRequest("agent_unknown", "There is no agent '" + slug + "'."));
  }

  private static RunMode mode(@Nullable String word) {
    return Arrays.stream(RunMode.values())
        .filter(mode -> mode.word().equals(word == null ? "harness" : word))
        .findFirst()
        .orElseThrow(
            () -> Problem.badRequest("mode_invalid", "mode must be 'harness' or 'external'."));
  }

  private @Nullable RunId known(@Nullable UUID id, String field, boolean alive) {
    if (id == null) {
      return null;
    }
    var run =
        runs.find(new RunId(id))
            .orElseThrow(
                () -> Problem.badRequest("run_unknown", field + ": there is no run " + id + "."));
    if (alive && run.hasEnded()) {
      throw Problem.conflict(
          "run_ended", field + ": run " + id + " has ended and can have no more children.");
    }
    return run.id();
  }

  record Started(Run run, Optional<RunWorkspaces.RunWorkspace> workspace, Optional<String> token) {

    @Override
    public String toString() {
      return "Started[" + run.id() + "]";
    }
  }
}
