package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import mesh.access.Operator;
import mesh.access.Role;
import mesh.agent.Agent;
import mesh.agent.Agents;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.AgentsPage;
import mesh.dashboard.view.Field;
import mesh.dashboard.view.When;
import mesh.run.Run;
import mesh.run.RunFilter;
import mesh.run.Runs;
import mesh.web.Cursor;
import mesh.web.Limit;
import mesh.web.Page;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Puts the list of agents together. */
@Component
class AgentsPages {

  /** Each row asks for its credentials. */
  private static final Limit ROWS = new Limit(25);

  private final Frames frames;
  private final Agents agents;
  private final CredentialBlocks credentials;
  private final Runs runs;
  private final RuntimeNames runtimes;
  private final InstantSource clock;

  AgentsPages(
      Frames frames,
      Agents agents,
      CredentialBlocks credentials,
      Runs runs,
      RuntimeNames runtimes,
      InstantSource clock) {
    this.frames = frames;
    this.agents = agents;
    this.credentials = credentials;
    this.runs = runs;
    this.runtimes = runtimes;
    this.clock = clock;
  }

  /**
   * @param cursor null for the newest agents
   */
  AgentsPage page(
      HttpServletRequest request, Operator operator, @Nullable Cursor cursor, RefusedForm refused) {
    Instant now = clock.instant();
    Optional<String> first = runtimes.first();
    Lately lately = Lately.of(runs, now);
    Page<AgentsPage.Line> part = agents.newest(cursor, ROWS).map(it -> line(it, first, lately));
    return new AgentsPage(
        frames.shell(request, operator, "agents"),
        part.rows(),
        operator.role().covers(Role.OPERATOR),
        !refused.errors().isEmpty(),
        refused.errors(),
        new Field(
            "slug",
            "slug",
            "Slug",
            "Its name in addresses, for ever: a to z, digits and dashes.",
            refused.typed("slug", ""),
            refused.error("slug")),
        new Field(
            "name",
            "name",
            "Name",
            "What people call it, if not by its slug.",
            refused.typed("name", ""),
            refused.error("name")),
        part.next().map(it -> "/agents?cursor=" + it).orElse(""),
        cursor == null ? "" : "/agents");
  }

  private AgentsPage.Line line(Agent agent, Optional<String> first, Lately lately) {
    return new AgentsPage.Line(
        agent.slug(),
        title(agent),
        runtimes.used(agent.runtimeBackend(), first),
        credentials.badges(agent.id()),
        lately.of(agent));
  }

  /** Empty if it is the slug again. */
  static String title(Agent agent) {
    return agent.name().equals(agent.slug()) ? "" : VisibleText.line(agent.name());
  }

  /**
   * The newest runs of all agents: to look for the one of each in a long table would take longer
   * than a page may.
   *
   * @param all whether there are no others
   */
  private record Lately(Map<String, Run> newest, boolean all, Instant now) {

    private static final int RUNS = 200;

    static Lately of(Runs runs, Instant now) {
      List<Run> shown = runs.list(RunFilter.ALL, RUNS);
      return new Lately(
          shown.stream().collect(Collectors.toMap(Run::agentSlug, it -> it, (newer, _) -> newer)),
          shown.size() < RUNS,
          now);
    }

    AgentsPage.@Nullable LastRun of(Agent agent) {
      Run run = newest.get(agent.slug());
      if (run != null) {
        return new AgentsPage.LastRun(
            "/runs/" + run.id(), RunWords.badge(run.status()), When.of(run.createdAt(), now));
      }
      return all ? null : new AgentsPage.LastRun("/runs?agent=" + agent.slug(), null, null);
    }
  }
}
