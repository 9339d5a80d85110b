package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.time.InstantSource;
import java.util.List;
import mesh.access.Operator;
import mesh.access.Role;
import mesh.agent.Agents;
import mesh.dashboard.view.RuntimesPage;
import mesh.settings.AgentRuntimes;
import mesh.settings.RuntimeSetting;
import mesh.workspace.RuntimeTrials;
import mesh.workspace.WorkspaceLedger;
import org.springframework.stereotype.Component;

/** Puts the page of the runtimes together. */
@Component
class RuntimesPages {

  static final String ADDRESS = "/settings/agent-runtimes";

  private final Frames frames;
  private final AgentRuntimes runtimes;
  private final Agents agents;
  private final WorkspaceLedger ledger;
  private final RuntimeTrials trials;
  private final InstantSource clock;

  RuntimesPages(
      Frames frames,
      AgentRuntimes runtimes,
      Agents agents,
      WorkspaceLedger ledger,
      RuntimeTrials trials,
      InstantSource clock) {
    this.frames = frames;
    this.runtimes = runtimes;
    this.agents = agents;
    this.ledger = ledger;
    this.trials = trials;
    this.clock = clock;
  }

  RuntimesPage page(HttpServletRequest request, Operator operator, RefusedForm refused) {
    List<RuntimeSetting> all = runtimes.all();
    RuntimeCards cards =
        new RuntimeCards(
            agents.pinned(), ledger.liveByRuntime(), trials.last(), refused, clock.instant());
    return new RuntimesPage(
        // Also after a refused form, whose own address only takes posts.
        frames.shell(request, operator, "agent-runtimes").at(ADDRESS),
        Said.to(request),
        refused.errors(),
        all.stream().noneMatch(RuntimeSetting::enabled),
        all.stream().map(cards::card).toList(),
        operator.role().covers(Role.ADMIN));
  }
}
