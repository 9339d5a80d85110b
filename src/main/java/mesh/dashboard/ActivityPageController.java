package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import mesh.access.Operator;
import mesh.activity.Activity;
import mesh.activity.Recorded;
import mesh.dashboard.view.FieldError;
import mesh.web.Cursor;
import mesh.web.Limit;
import mesh.web.Page;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;

/** Who did what to what, and when. */
@Controller
class ActivityPageController {

  private static final Limit ROWS = new Limit(50);

  private final Frames frames;
  private final Activity activity;
  private final ActivityViews views;

  ActivityPageController(Frames frames, Activity activity, ActivityViews views) {
    this.frames = frames;
    this.activity = activity;
    this.views = views;
  }

  @GetMapping("/activity")
  ModelAndView list(
      @AuthenticationPrincipal Operator operator,
      @RequestParam(defaultValue = "") String agent,
      @RequestParam(defaultValue = "") String run,
      @RequestParam(defaultValue = "") String actor,
      @RequestParam(defaultValue = "") String action,
      @RequestParam(defaultValue = "") String since,
      @RequestParam(required = false) @Nullable Cursor cursor,
      HttpServletRequest request) {
    ActivityQuery query =
        new ActivityQuery(
            agent.strip(),
            run.strip(),
            actor.strip(),
            action.strip(),
            since.strip(),
            Optional.ofNullable(cursor));
    List<FieldError> errors = query.errors();
    Page<Recorded> part =
        errors.isEmpty()
            ? activity.newest(query.filter(), ROWS)
            : Page.of(List.of(), ROWS, it -> Cursor.after(it.at(), it.id()));
    ModelAndView page =
        new ModelAndView(
            "activity",
            "page",
            views.page(frames.shell(request, operator, "activity"), query, errors, part));
    if (!errors.isEmpty()) {
      page.setStatus(HttpStatus.UNPROCESSABLE_CONTENT);
    }
    return page;
  }
}
