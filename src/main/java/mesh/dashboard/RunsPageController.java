package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import mesh.access.Operator;
import mesh.run.NewRun;
import mesh.run.Run;
import mesh.run.RunMode;
import mesh.run.Runs;
import mesh.web.Cursor;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** The list of runs, and the form that starts one. */
@Controller
class RunsPageController {

  private final Runs runs;
  private final RunsPages pages;
  private final AgentChoices agents;

  RunsPageController(Runs runs, RunsPages pages, AgentChoices agents) {
    this.runs = runs;
    this.pages = pages;
    this.agents = agents;
  }

  @GetMapping("/runs")
  ModelAndView list(
      @AuthenticationPrincipal Operator operator,
      @RequestParam(defaultValue = "") String status,
      @RequestParam(defaultValue = "") String agent,
      @RequestParam(defaultValue = "") String actor,
      @RequestParam(required = false) @Nullable Cursor cursor,
      HttpServletRequest request) {
    return new ModelAndView(
        "runs",
        "page",
        pages.page(
            request,
            operator,
            new ListQuery(
                status.strip(), agent.strip(), actor.strip(), Optional.ofNullable(cursor)),
            Draft.EMPTY));
  }

  @PostMapping("/runs")
  ModelAndView start(
      @AuthenticationPrincipal Operator operator,
      @RequestParam(defaultValue = "") String agent,
      @RequestParam(defaultValue = "") String task,
      @RequestParam(defaultValue = "") String onBehalfOf,
      HttpServletRequest request) {
    Draft draft = new Draft(agent, task, onBehalfOf.strip(), agents.idOf(agent).isPresent());
    if (!draft.errors().isEmpty()) {
      ModelAndView again =
          new ModelAndView("runs", "page", pages.page(request, operator, ListQuery.ALL, draft));
      again.setStatus(HttpStatus.UNPROCESSABLE_CONTENT);
      return again;
    }
    Run run =
        runs.create(
            new NewRun(
                agents.idOf(agent).orElseThrow(),
                RunMode.HARNESS,
                task.strip(),
                operator.actor(),
                draft.onBehalfOf().isEmpty() ? null : draft.onBehalfOf(),
                null,
                null,
                null));
    return new ModelAndView("redirect:/runs/" + run.id());
  }
}
