package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import mesh.access.Operator;
import mesh.access.Role;
import mesh.agent.Agent;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.AgentPage;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.Spoken;
import mesh.dashboard.view.When;
import mesh.run.RunFilter;
import mesh.run.Runs;
import org.springframework.stereotype.Component;

/** Puts the page of an agent together. */
@Component
class AgentPages {

  private static final int RUNS = 10;

  private final Frames frames;
  private final CredentialBlocks credentials;
  private final VaultBlocks vaults;
  private final Runs runs;
  private final RunViews views;
  private final RuntimeNames runtimes;
  private final InstantSource clock;

  AgentPages(
      Frames frames,
      CredentialBlocks credentials,
      VaultBlocks vaults,
      Runs runs,
      RunViews views,
      RuntimeNames runtimes,
      InstantSource clock) {
    this.frames = frames;
    this.credentials = credentials;
    this.vaults = vaults;
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
        Said.to(request),
        refused.errors(),
        credentials.of(agent, refused, now),
        vaults.of(agent, entry, refused, now),
        views.rows(runs.list(of, RUNS), now),
        operator.role().covers(Role.OPERATOR));
  }

  private List<Fact> facts(Agent agent, Instant now) {
    String pin = agent.runtimeBackend();
    return List.of(
        new Fact(
            "Runtime",
            VisibleText.line(runtimes.used(pin, runtimes.first())),
            pin == null ? "the first that is enabled" : "this one only",
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
