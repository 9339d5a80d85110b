package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import mesh.access.Operator;
import mesh.agent.Agents;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** One agent: what it is, acts as and was handed, and its newest runs. */
@Controller
class AgentPageController {

  private final Agents agents;
  private final AgentPages pages;

  AgentPageController(Agents agents, AgentPages pages) {
    this.agents = agents;
    this.pages = pages;
  }

  @GetMapping("/agents/{slug}")
  ModelAndView show(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String slug,
      @RequestParam(defaultValue = "") String entry,
      HttpServletRequest request) {
    return new ModelAndView(
        "agent", "page", pages.page(request, operator, agents.get(slug), entry, RefusedForm.NONE));
  }
}
