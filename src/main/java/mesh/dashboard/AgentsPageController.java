package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import mesh.access.Operator;
import mesh.agent.AgentDraft;
import mesh.agent.Agents;
import mesh.dashboard.view.FieldError;
import mesh.dashboard.view.Mark;
import mesh.web.Cursor;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The list of agents, and the form that makes one. */
@Controller
class AgentsPageController {

  private final Agents agents;
  private final AgentsPages pages;

  AgentsPageController(Agents agents, AgentsPages pages) {
    this.agents = agents;
    this.pages = pages;
  }

  @GetMapping("/agents")
  ModelAndView list(
      @AuthenticationPrincipal Operator operator,
      @RequestParam(required = false) @Nullable Cursor cursor,
      HttpServletRequest request) {
    return new ModelAndView(
        "agents", "page", pages.page(request, operator, cursor, RefusedForm.NONE));
  }

  @PostMapping("/agents")
  ModelAndView create(
      @AuthenticationPrincipal Operator operator,
      @RequestParam(defaultValue = "") String slug,
      @RequestParam(defaultValue = "") String name,
      HttpServletRequest request,
      RedirectAttributes next) {
    String wanted = slug.strip();
    String title = name.strip();
    try {
      AgentDraft draft = AgentDraft.of(wanted);
      agents.create(title.isEmpty() ? draft : draft.named(title), operator.actor());
    } catch (Problem problem) {
      RefusedForm refused =
          new RefusedForm(
              "agent", Map.of("slug", slug, "name", name), List.of(error(problem, wanted)));
      ModelAndView again =
          new ModelAndView("agents", "page", pages.page(request, operator, null, refused));
      again.setStatus(HttpStatus.UNPROCESSABLE_CONTENT);
      return again;
    }
    Said.on(
        next,
        Mark.GOOD,
        "Agent %s is made.".formatted(wanted),
        "Set what it acts as below, or start a run of it.");
    return new ModelAndView("redirect:/agents/" + wanted);
  }

  /**
   * @throws Problem again, if it is none of the form's
   */
  private static FieldError error(Problem problem, String slug) {
    return switch (problem.code()) {
      case "agent_slug_taken" ->
          new FieldError(
              "slug", "There is an agent %s already: choose another slug.".formatted(slug));
      case "agent_invalid" ->
          "/name".equals(problem.extras().get("pointer"))
              ? new FieldError("name", "Write the name on one line of at most 200 characters.")
              : new FieldError(
                  "slug",
                  "Write the slug with 1 to 63 of the letters a to z, digits and dashes, with no"
                      + " dash at either end.");
      default -> throw problem;
    };
  }
}
