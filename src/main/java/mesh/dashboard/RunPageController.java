package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import mesh.access.Operator;
import mesh.access.Role;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.RawPage;
import mesh.dashboard.view.RunPage;
import mesh.dashboard.view.StepView;
import mesh.run.Run;
import mesh.run.RunId;
import mesh.run.RunStatus;
import mesh.run.RunTalk;
import mesh.run.Runs;
import mesh.run.Step;
import mesh.run.Steps;
import mesh.web.Problem;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import tools.jackson.databind.json.JsonMapper;

/** One run: its timeline, its steps as stored, its end. */
@Controller
class RunPageController {

  /** Anything else is no run: 404, not a bad request. */
  static final String ID = "[0-9a-fA-F-]{36}";

  /** Steps on one page; a longer run has a link to the rest. */
  private static final int STEPS = 200;

  private final Frames frames;
  private final Runs runs;
  private final Steps steps;
  private final RunTalk talk;
  private final RunViews views;
  private final Fragments fragments;
  private final InstantSource clock;
  private final JsonMapper json;

  RunPageController(
      Frames frames,
      Runs runs,
      Steps steps,
      RunTalk talk,
      RunViews views,
      Fragments fragments,
      InstantSource clock,
      JsonMapper json) {
    this.frames = frames;
    this.runs = runs;
    this.steps = steps;
    this.talk = talk;
    this.views = views;
    this.fragments = fragments;
    this.clock = clock;
    this.json = json;
  }

  @GetMapping("/runs/{id:" + ID + "}")
  ModelAndView timeline(
      @AuthenticationPrincipal Operator operator,
      @PathVariable UUID id,
      @RequestParam(defaultValue = "0") int after,
      HttpServletRequest request) {
    Run run = find(id);
    Instant now = clock.instant();
    List<Step> shown = steps.list(run.id(), after, STEPS);
    List<StepView> timeline = shown.stream().map(it -> fragments.view(run, it)).toList();
    boolean more = shown.size() == STEPS;
    return new ModelAndView(
        "run",
        "page",
        new RunPage(
            frames.shell(request, operator, "runs"),
            views.head(run, now),
            RunViews.title(run),
            RunViews.task(run),
            timeline,
            RunLive.settled(after, shown),
            operator.role().covers(Role.OPERATOR),
            more ? "/runs/" + id + "?after=" + shown.getLast().seq() : "",
            after > 0 ? "/runs/" + id + "?after=" + Math.max(0, after - STEPS) : ""));
  }

  @GetMapping("/runs/{id:" + ID + "}/raw")
  ModelAndView raw(
      @AuthenticationPrincipal Operator operator,
      @PathVariable UUID id,
      HttpServletRequest request) {
    Run run = find(id);
    String stored =
        json.writerWithDefaultPrettyPrinter()
            .writeValueAsString(steps.list(run.id(), 0, STEPS).stream().map(RawStep::of).toList());
    return new ModelAndView(
        "raw",
        "page",
        new RawPage(
            frames.shell(request, operator, "runs"),
            views.head(run, clock.instant()),
            RunViews.title(run),
            VisibleText.block(stored)));
  }

  @PostMapping("/runs/{id:" + ID + "}/cancel")
  String cancel(@AuthenticationPrincipal Operator operator, @PathVariable UUID id) {
    Run run = find(id);
    // Ended meanwhile: the page shows how, which is what the operator wants to know then.
    runs.end(
        run.id(),
        RunStatus.CANCELLED,
        "Cancelled by " + operator.name() + ".",
        null,
        operator.actor());
    return "redirect:/runs/" + id;
  }

  /** Also to a run that waits for it; with {@code supersede} a new run takes it up instead. */
  @PostMapping("/runs/{id:" + ID + "}/messages")
  String say(
      @AuthenticationPrincipal Operator operator,
      @PathVariable UUID id,
      @RequestParam(defaultValue = "") String text,
      @RequestParam(defaultValue = "false") boolean supersede) {
    Run run =
        supersede
            ? talk.supersede(new RunId(id), text, operator.actor())
            : talk.say(new RunId(id), text, operator.actor());
    return "redirect:/runs/" + run.id().value();
  }

  private Run find(UUID id) {
    return runs.find(new RunId(id))
        .orElseThrow(() -> Problem.notFound("run_unknown", "There is no run " + id + "."));
  }
}
