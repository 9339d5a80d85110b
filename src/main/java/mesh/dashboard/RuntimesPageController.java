package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import mesh.access.Operator;
import mesh.dashboard.view.FieldError;
import mesh.dashboard.view.Mark;
import mesh.settings.AgentRuntimes;
import mesh.settings.EnabledRuntime;
import mesh.settings.RuntimeChange;
import mesh.settings.RuntimeSetting;
import mesh.settings.SavedRuntime;
import mesh.web.Problem;
import mesh.workspace.RuntimeTrial;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import tools.jackson.databind.node.JsonNodeFactory;

/** The runtimes, and the forms that configure, enable, disable and test one. */
@Controller
@RequestMapping(RuntimesPages.ADDRESS)
class RuntimesPageController {

  private static final String BACK = "redirect:" + RuntimesPages.ADDRESS;

  private final AgentRuntimes runtimes;
  private final RuntimeTrial trial;
  private final RuntimesPages pages;
  private final RuntimeNames names;

  RuntimesPageController(
      AgentRuntimes runtimes, RuntimeTrial trial, RuntimesPages pages, RuntimeNames names) {
    this.runtimes = runtimes;
    this.trial = trial;
    this.pages = pages;
    this.names = names;
  }

  @GetMapping
  ModelAndView list(@AuthenticationPrincipal Operator operator, HttpServletRequest request) {
    return new ModelAndView("runtimes", "page", pages.page(request, operator, RefusedForm.NONE));
  }

  @PostMapping("/{name}")
  ModelAndView save(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String name,
      @RequestParam Map<String, String> sent,
      HttpServletRequest request,
      RedirectAttributes next) {
    RuntimeSetting runtime = known(name);
    Boolean enable = sent.containsKey("enable") ? true : null;
    return attempt(
        operator, runtime, RuntimeFields.change(runtime, sent, enable), sent, request, next);
  }

  @PostMapping("/{name}/enable")
  ModelAndView enable(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String name,
      HttpServletRequest request,
      RedirectAttributes next) {
    RuntimeChange change = new RuntimeChange(true, null);
    return attempt(operator, known(name), change, null, request, next);
  }

  @PostMapping("/{name}/disable")
  String disable(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String name,
      RedirectAttributes next) {
    SavedRuntime saved = runtimes.save(name, new RuntimeChange(false, null), operator.actor());
    List<String> reset = saved.resetAgents();
    Said.on(
        next,
        Mark.GOOD,
        "%s is disabled:".formatted(saved.runtime().descriptor().title()),
        "disabling %s reset %d agent(s) to the instance default"
                .formatted(saved.runtime().descriptor().title(), reset.size())
            + (reset.isEmpty() ? "" : ": " + RuntimeCards.names(reset))
            + ". "
            + standing());
    return BACK;
  }

  @PostMapping("/{name}/clear")
  ModelAndView clear(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String name,
      @RequestParam(defaultValue = "") String field,
      HttpServletRequest request,
      RedirectAttributes next) {
    RuntimeChange change =
        new RuntimeChange(null, Map.of(field, JsonNodeFactory.instance.nullNode()));
    return attempt(operator, known(name), change, null, request, next);
  }

  /** Answers when the test is over; how it went is on the page, and on record. */
  @PostMapping("/{name}/test")
  String test(
      @AuthenticationPrincipal Operator operator,
      @PathVariable String name,
      RedirectAttributes next)
      throws InterruptedException {
    try {
      trial.run(name, operator.actor());
    } catch (Problem problem) {
      if (problem.status() == HttpStatus.NOT_FOUND.value()) {
        throw problem;
      }
      Said.on(next, Mark.BAD, "The test did not begin.", problem.sentence());
      return BACK;
    }
    return BACK + "#test-" + name;
  }

  /**
   * @param sent the form with the settings; null if there was none, so they stay folded
   */
  private ModelAndView attempt(
      Operator operator,
      RuntimeSetting runtime,
      RuntimeChange change,
      @Nullable Map<String, String> sent,
      HttpServletRequest request,
      RedirectAttributes next) {
    String name = runtime.descriptor().name().value();
    Map<String, String> form = sent == null ? Map.of() : sent;
    try {
      tell(next, runtime, runtimes.save(name, change, operator.actor()).runtime());
      return new ModelAndView(BACK);
    } catch (Problem problem) {
      List<FieldError> errors = RuntimeErrors.of(runtime, problem, form);
      RefusedForm refused =
          new RefusedForm(
              name, sent == null ? Map.of() : RuntimeFields.typed(runtime, sent), errors);
      ModelAndView again =
          new ModelAndView("runtimes", "page", pages.page(request, operator, refused));
      again.setStatus(HttpStatus.UNPROCESSABLE_CONTENT);
      return again;
    }
  }

  private void tell(RedirectAttributes next, RuntimeSetting before, RuntimeSetting after) {
    String title = after.descriptor().title();
    if (after.enabled() && !before.enabled()) {
      Said.on(next, Mark.GOOD, title + " is enabled.", standing());
    } else {
      Said.on(
          next,
          Mark.GOOD,
          "%s is saved.".formatted(title),
          after.enabled()
              ? "New workspaces there are made with these settings."
              : "It is not enabled: no new workspace is made there.");
    }
  }

  /** What agents without a pin use from now on. */
  private String standing() {
    List<EnabledRuntime> enabled = runtimes.enabled();
    return enabled.isEmpty()
        ? "No runtime is enabled now: no run gets a workspace until one is."
        : "The instance default is %s.".formatted(names.title(enabled.getFirst().name().value()));
  }

  private RuntimeSetting known(String name) {
    return runtimes
        .find(name)
        .orElseThrow(
            () -> Problem.notFound("runtime_unknown", "There is no runtime of that name."));
  }
}
