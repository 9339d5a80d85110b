package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import mesh.access.Operator;
import mesh.access.Role;
import mesh.agent.Agent;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.AgentPage;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.Field;
import mesh.dashboard.view.Option;
import mesh.dashboard.view.SettingInput;
import mesh.dashboard.view.Spoken;
import mesh.dashboard.view.When;
import mesh.run.RunFilter;
import mesh.run.Runs;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Puts the page of an agent together. */
@Component
class AgentPages {

  /** The form that pins the agent, and its only field. */
  static final String RUNTIME = "runtime";

  private static final int RUNS = 10;

  private final Frames frames;
  private final CredentialBlocks credentials;
  private final VaultBlocks vaults;
  private final ModelBlocks models;
  private final Runs runs;
  private final RunViews views;
  private final RuntimeNames runtimes;
  private final InstantSource clock;

  AgentPages(
      Frames frames,
      CredentialBlocks credentials,
      VaultBlocks vaults,
      ModelBlocks models,
      Runs runs,
      RunViews views,
      RuntimeNames runtimes,
      InstantSource clock) {
    this.frames = frames;
    this.credentials = credentials;
    this.vaults = vaults;
    this.models = models;
    this.runs = runs;
    this.views = views;
    this.runtimes = runtimes;
    this.clock = clock;
  }

  /**
   * @param entry the vault entry that is to be replaced; empty for none
   */
  AgentPage page(
      HttpServletRequest request,
      Operator operator,
      Agent agent,
      String entry,
      RefusedForm refused) {
    Instant now = clock.instant();
    RunFilter of = new RunFilter(Optional.of(agent.slug()), Optional.empty(), Optional.empty());
    return new AgentPage(
        // Also after a refused form, whose own address only takes posts.
        frames.shell(request, operator, "agents").at("/agents/" + agent.slug()),
        agent.slug(),
        AgentsPages.title(agent),
        facts(agent, now),
        runtime(agent, refused),
        refused.is(RUNTIME),
        Said.to(request),
        refused.errors(),
        models.of(agent, refused),
        credentials.of(agent, refused, now),
        vaults.of(agent, entry, refused, now),
        views.rows(runs.list(of, RUNS), now),
        operator.role().covers(Role.OPERATOR));
  }

  /** Nothing to choose where only one is enabled; but what was refused is told at its field. */
  private SettingInput.@Nullable Choice runtime(Agent agent, RefusedForm refused) {
    List<Option> options =
        runtimes.choices(
            refused.typed(RUNTIME, Objects.requireNonNullElse(agent.runtimeBackend(), "")));
    // The first is the one for agents without a pin.
    if (options.size() <= 2 && !refused.is(RUNTIME)) {
      return null;
    }
    return new SettingInput.Choice(
        new Field(
            RUNTIME,
            RUNTIME,
            "Runtime",
            "Where its workspaces are made from now on. Those that it has stay where they are.",
            "",
            refused.error(RUNTIME)),
        options);
  }

  private List<Fact> facts(Agent agent, Instant now) {
    String pin = agent.runtimeBackend();
    return List.of(
        new Fact(
            "Runtime",
            VisibleText.line(runtimes.used(pin, runtimes.first())),
            pin == null ? "the instance default" : "this one only",
            false),
        Fact.of(
            "Sandboxes at once",
            "at most " + Spoken.count(agent.maxConcurrentWorkspaces(), "sandbox", "sandboxes")),
        Fact.of(
            "Compute for one run",
            "at most " + Spoken.duration(Duration.ofSeconds(agent.maxComputeSeconds()))),
        new Fact(
            "Made",
            When.of(agent.createdAt(), now).spoken(),
            When.of(agent.createdAt(), now).exact(),
            false));
  }
}
