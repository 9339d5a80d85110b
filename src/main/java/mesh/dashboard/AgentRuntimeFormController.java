package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import mesh.access.Operator;
import mesh.agent.Agent;
import mesh.agent.Agents;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.FieldError;
import mesh.dashboard.view.Mark;
import mesh.web.Problem;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The form that pins an agent to a runtime, or to none. */
@Controller
class AgentRuntimeFormController {

  private final Agents agents;
  private final AgentPages pages;
  private final RuntimeNames runtimes;

  AgentRuntimeFormController(Agents agents, AgentPages pages, RuntimeNames runtimes) {
    this.agents = agents;
    this.pages = pages;
    this.runtimes = runtimes;
  }

  @PostMapping("/agents/{slug}/runtime")
  ModelAndView pin(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String slug,
      @RequestParam(defaultValue = "") String runtime,
      HttpServletRequest request,
      RedirectAttributes next) {
    try {
      Agent agent =
          agents.update(
              slug,
              terms -> runtime.isEmpty() ? terms.unpinned() : terms.pinnedTo(runtime),
              operator.actor());
      String used = runtimes.used(agent.runtimeBackend(), runtimes.first());
      Said.on(
          next,
          Mark.GOOD,
          runtime.isEmpty()
              ? "%s uses the instance default.".formatted(slug)
              : "%s uses %s and no other runtime.".formatted(slug, used),
          runtime.isEmpty() ? "That is %s now.".formatted(used) : "New workspaces are made there.");
      return new ModelAndView("redirect:/agents/" + slug);
    } catch (Problem problem) {
      if (!problem.code().equals("runtime_not_enabled")) {
        throw problem;
      }
      RefusedForm refused =
          new RefusedForm(
              AgentPages.RUNTIME,
              Map.of(AgentPages.RUNTIME, runtime),
              List.of(new FieldError(AgentPages.RUNTIME, VisibleText.line(problem.sentence()))));
      ModelAndView again =
          new ModelAndView(
              "agent", "page", pages.page(request, operator, agents.get(slug), "", refused));
      again.setStatus(HttpStatus.UNPROCESSABLE_CONTENT);
      return again;
    }
  }
}
