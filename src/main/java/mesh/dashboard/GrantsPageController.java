package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.UUID;
import mesh.access.Operator;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.GrantsPage;
import mesh.run.Run;
import mesh.run.RunId;
import mesh.run.Runs;
import mesh.web.Problem;
import mesh.workspace.RunGrants;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.servlet.ModelAndView;

/** "What could this run see?" */
@Controller
class GrantsPageController {

  private final Frames frames;
  private final Runs runs;
  private final RunViews heads;
  private final RunGrants grants;
  private final GrantViews views;
  private final InstantSource clock;

  GrantsPageController(
      Frames frames,
      Runs runs,
      RunViews heads,
      RunGrants grants,
      GrantViews views,
      InstantSource clock) {
    this.frames = frames;
    this.runs = runs;
    this.heads = heads;
    this.grants = grants;
    this.views = views;
    this.clock = clock;
  }

  @GetMapping("/runs/{id:" + RunPageController.ID + "}/grants")
  ModelAndView show(
      @AuthenticationPrincipal Operator operator,
      @PathVariable UUID id,
      HttpServletRequest request) {
    Run run =
        runs.find(new RunId(id))
            .orElseThrow(() -> Problem.notFound("run_unknown", "There is no run " + id + "."));
    Instant now = clock.instant();
    RunGrants.Seen seen = grants.of(run.id());
    return new ModelAndView(
        "grants",
        "page",
        new GrantsPage(
            frames.shell(request, operator, "runs"),
            heads.head(run, now),
            RunViews.title(run),
            GrantViews.lead(run, seen),
            seen.workspace().isPresent() || !seen.issuances().isEmpty(),
            seen.issuances().stream().map(it -> GrantViews.issued(it, now)).toList(),
            seen.vault().stream().map(VisibleText::line).toList(),
            GrantViews.network(seen.egress()),
            GrantViews.hosts(seen.egress()),
            views.runtime(seen),
            views.residue(run, seen)));
  }
}
