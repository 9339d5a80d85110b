package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import mesh.access.Operator;
import mesh.agent.Agents;
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

/** The form that gives an agent its model. */
@Controller
class AgentModelFormController {

  private final Agents agents;
  private final AgentPages pages;
  private final ModelBlocks models;

  AgentModelFormController(Agents agents, AgentPages pages, ModelBlocks models) {
    this.agents = agents;
    this.pages = pages;
    this.models = models;
  }

  @PostMapping("/agents/{slug}/model")
  ModelAndView save(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String slug,
      @RequestParam Map<String, String> sent,
      HttpServletRequest request,
      RedirectAttributes next) {
    try {
      agents.update(
          slug, terms -> terms.withModel(models.changed(terms.model(), sent)), operator.actor());
      Said.on(
          next,
          Mark.GOOD,
          "The model of %s is saved.".formatted(slug),
          "Runs that start from now on use it.");
      return new ModelAndView("redirect:/agents/" + slug);
    } catch (Problem problem) {
      var again =
          new ModelAndView(
              "agent",
              "page",
              pages.page(
                  request, operator, agents.get(slug), "", ModelBlocks.refused(problem, sent)));
      again.setStatus(HttpStatus.UNPROCESSABLE_CONTENT);
      return again;
    }
  }
}
