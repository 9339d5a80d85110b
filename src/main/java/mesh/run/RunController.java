package mesh.run;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import mesh.access.Operator;
import mesh.web.Cursor;
import mesh.web.Limit;
import mesh.web.Page;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/runs")
class RunController {

  private final Runs runs;
  private final Steps steps;
  private final RunStarts starts;
  private final RunWorkspaces workspaces;
  private final RunEventStream events;

  RunController(
      Runs runs, Steps steps, RunStarts starts, RunWorkspaces workspaces, RunEventStream events) {
    this.runs = runs;
    this.steps = steps;
    this.starts = starts;
    this.workspaces = workspaces;
    this.events = events;
  }

  @PostMapping
  @ResponseStatus(HttpStatus.CREATED)
  RunJson create(@RequestBody NewRunJson body, @AuthenticationPrincipal Operator operator) {
    var started = starts.start(body, operator.actor());
    var answer = RunJson.of(started.run(), started.workspace().orElse(null));
    return started.token().map(answer::withToken).orElse(answer);
  }

  @GetMapping
  Map<String, @Nullable Object> list(
      @RequestParam(required = false) @Nullable String agent,
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(required = false) @Nullable String actor,
      @RequestParam(defaultValue = Limit.DEFAULT) Limit limit,
      @RequestParam(required = false) @Nullable Cursor cursor) {
    var filter =
        new RunFilter(
            Optional.ofNullable(agent),
            Optional.ofNullable(status).map(RunController::status),
            Optional.ofNullable(actor));
    var rows =
        cursor == null
            ? runs.list(filter, limit.toFetch())
            : runs.listBefore(filter, cursor.at(), cursor.uuid(), limit.toFetch());
    var page = Page.of(rows, limit, run -> Cursor.after(run.createdAt(), run.id().value()));
    var spaces = workspaces.of(page.rows().stream().map(Run::id).toList());
    return page.map(run -> RunJson.of(run, spaces.get(run.id()))).json("runs");
  }

  @GetMapping("/{id}")
  RunJson one(@PathVariable UUID id) {
    return answer(found(id));
  }

  @GetMapping("/{id}/steps")
  Map<String, @Nullable Object> steps(
      @PathVariable UUID id,
      @RequestParam(defaultValue = Limit.DEFAULT) Limit limit,
      @RequestParam(required = false) @Nullable Cursor cursor) {
    var run = found(id);
    var rows = steps.list(run.id(), cursor == null ? 0 : (int) cursor.number(), limit.toFetch());
    return Page.of(rows, limit, step -> Cursor.after(run.createdAt(), step.seq()))
        .map(StepJson::of)
        .json("steps");
  }

  @GetMapping("/{id}/events")
  void events(
      @PathVariable UUID id,
      @RequestHeader(name = "Last-Event-ID", defaultValue = "0") String last,
      HttpServletResponse response)
      throws IOException, InterruptedException {
    var run = found(id);
    response.setContentType("text/event-stream");
    response.setCharacterEncoding("UTF-8");
    events.write(run.id(), number(last), response.getOutputStream());
  }

  @PostMapping("/{id}/cancel")
  RunJson cancel(@PathVariable UUID id, @AuthenticationPrincipal Operator operator) {
    var run = found(id);
    if (!runs.end(
        run.id(),
        RunStatus.CANCELLED,
        "Cancelled by " + operator.name() + ".",
        null,
        operator.actor())) {
      throw Problem.conflict(
          "run_ended",
          "Run %s has ended as %s: there is nothing to cancel."
              .formatted(id, found(id).status().word()));
    }
    return answer(found(id));
  }

  private RunJson answer(Run run) {
    return RunJson.of(run, workspaces.of(List.of(run.id())).get(run.id()));
  }

  private Run found(UUID id) {
    return runs.find(new RunId(id))
        .orElseThrow(() -> Problem.notFound("run_unknown", "There is no run " + id + "."));
  }

  private static RunStatus status(String word) {
    try {
      return RunStatus.of(word);
    } catch (IllegalArgumentException unknown) {
      throw Problem.badRequest("status_unknown", "There is no run status '" + word + "'.");
    }
  }

  private static int number(String lastEventId) {
    try {
      return Math.max(0, Integer.parseInt(lastEventId));
    } catch (NumberFormatException notOurs) {
      return 0;
    }
  }
}
