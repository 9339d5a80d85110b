package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import mesh.access.Operator;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Mark;
import mesh.settings.EgressMode;
import mesh.settings.EgressSetting;
import mesh.settings.WorkspaceEgress;
import mesh.settings.WorkspaceEgress.BadDomain;
import mesh.web.Problem;
import mesh.workspace.WorkspaceState;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** Settings, Workspace network access. */
@Controller
@RequestMapping("/settings/network-access")
class NetworkAccessController {

  private final NetworkAccessPages pages;
  private final WorkspaceEgress egress;
  private final LiveSandboxes live;

  NetworkAccessController(NetworkAccessPages pages, WorkspaceEgress egress, LiveSandboxes live) {
    this.pages = pages;
    this.egress = egress;
    this.live = live;
  }

  @GetMapping
  ModelAndView show(@AuthenticationPrincipal Operator operator, HttpServletRequest request) {
    return new ModelAndView("network-access", "page", pages.page(request, operator));
  }

  @PostMapping
  ModelAndView save(
      @AuthenticationPrincipal Operator operator,
      @RequestParam(required = false) @Nullable String mode,
      @RequestParam(defaultValue = "") String domains,
      @RequestParam(required = false) @Nullable String uncontrolled,
      HttpServletRequest request,
      RedirectAttributes next) {
    TypedEgress typed = new TypedEgress(mode, domains, uncontrolled);
    try {
      EgressSetting saved = egress.save(typed.change(), operator.actor());
      Said.on(next, Mark.GOOD, title(saved), kept());
      return new ModelAndView("redirect:/settings/network-access");
    } catch (Problem problem) {
      List<String> lines = lines(typed, problem);
      ModelAndView again =
          new ModelAndView(
              "network-access",
              "page",
              pages.refused(request, operator, typed, error(problem, lines), lines));
      again.setStatus(HttpStatus.UNPROCESSABLE_CONTENT);
      return again;
    }
  }

  private String title(EgressSetting saved) {
    return saved.mode() == EgressMode.OPEN
        ? "New workspaces may connect to any host."
        : "New workspaces may connect to %d hosts and nothing else."
            .formatted(egress.effective(saved).size());
  }

  /** What the change does not touch. */
  private String kept() {
    long count =
        Stream.of(WorkspaceState.CREATING, WorkspaceState.READY, WorkspaceState.HELD)
            .flatMap(live::in)
            .count();
    return count == 0
        ? "No sandbox is alive now, so this holds for all there will be."
        : "%s what it was made with, and its page shows that."
            .formatted(
                count == 1
                    ? "The 1 live workspace keeps"
                    : "Each of the " + count + " live workspaces keeps");
  }

  private static String error(Problem problem, List<String> lines) {
    return switch (problem.code()) {
      case "egress_domain_invalid" ->
          lines.size() == 1
              ? "1 line is no host name: mend or remove it."
              : "%d lines are no host names: mend or remove them.".formatted(lines.size());
      case "egress_mode_required", "egress_policy_invalid", "egress_too_many_domains" ->
          problem.sentence();
      default -> throw problem;
    };
  }

  private static List<String> lines(TypedEgress typed, Problem problem) {
    List<String> lines = new ArrayList<>();
    if (problem.extras().get("errors") instanceof List<?> bad) {
      for (Object it : bad) {
        if (it instanceof BadDomain wrong) {
          lines.add(
              VisibleText.line(
                  "Line %d: %s".formatted(typed.lineOf(wrong.index()), wrong.sentence())));
        }
      }
    }
    return lines;
  }
}
