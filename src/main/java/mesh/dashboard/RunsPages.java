package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import mesh.access.Operator;
import mesh.access.PublicUrl;
import mesh.access.Role;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.DayStrip;
import mesh.dashboard.view.Option;
import mesh.dashboard.view.RunRow;
import mesh.dashboard.view.RunsPage;
import mesh.dashboard.view.StartForm;
import mesh.run.Run;
import mesh.run.RunFilter;
import mesh.run.RunStatus;
import mesh.run.Runs;
import mesh.run.RunsPerHour;
import mesh.web.Cursor;
import mesh.web.Limit;
import mesh.web.Page;
import org.springframework.stereotype.Component;

/** Puts the list of runs together. */
@Component
class RunsPages {

  private static final Limit ROWS = new Limit(50);

  private final Frames frames;
  private final Runs runs;
  private final RunViews views;
  private final AgentChoices agents;
  private final PublicUrl url;
  private final InstantSource clock;

  RunsPages(
      Frames frames,
      Runs runs,
      RunViews views,
      AgentChoices agents,
      PublicUrl url,
      InstantSource clock) {
    this.frames = frames;
    this.runs = runs;
    this.views = views;
    this.agents = agents;
    this.url = url;
    this.clock = clock;
  }

  RunsPage page(HttpServletRequest request, Operator operator, ListQuery query, Draft draft) {
    Instant now = clock.instant();
    Page<Run> part = part(query);
    List<RunRow> rows = views.rows(part.rows(), now);
    boolean fresh = query.cursor().isEmpty();
    return new RunsPage(
        frames.shell(request, operator, "runs").at(query.from(query.cursor())),
        statuses(query),
        options(query.agent()),
        VisibleText.line(query.actor()),
        rows.stream().map(RunRow::actor).distinct().sorted().toList(),
        query.filters(),
        rows,
        day(now),
        start(operator, draft),
        fresh,
        part.next().map(it -> query.from(Optional.of(it))).orElse(""),
        fresh ? "" : query.address(),
        url.of(""));
  }

  private Page<Run> part(ListQuery query) {
    RunFilter filter = query.filter();
    List<Run> fetched =
        query
            .cursor()
            .map(it -> runs.listBefore(filter, it.at(), it.uuid(), ROWS.toFetch()))
            .orElseGet(() -> runs.list(filter, ROWS.toFetch()));
    return Page.of(fetched, ROWS, run -> Cursor.after(run.createdAt(), run.id().value()));
  }

  private static List<Option> statuses(ListQuery query) {
    return Arrays.stream(RunStatus.values())
        .map(it ->
            new Option(it.word(), RunWords.badge(it).word(), it.word().equals(query.status())))
        .toList();
  }

  private List<Option> options(String chosen) {
    return agents.slugs().stream().map(it -> new Option(it, it, it.equals(chosen))).toList();
  }

  /** Without agents, or for somebody who may not start runs, there is no form. */
  private StartForm start(Operator operator, Draft draft) {
    List<Option> choices =
        operator.role().covers(Role.OPERATOR) ? options(draft.agent()) : List.of();
    return new StartForm(
        choices, draft.task(), draft.onBehalfOf(), draft.errors(), !draft.errors().isEmpty());
  }

  private DayStrip day(Instant now) {
    Instant first = now.truncatedTo(ChronoUnit.HOURS).minus(23, ChronoUnit.HOURS);
    TreeMap<Integer, Days.Hour> hours = new TreeMap<>();
    for (RunsPerHour counted : runs.perHour(first)) {
      int index = (int) Duration.between(first, counted.hour()).toHours();
      if (index >= 0 && index < 24) {
        hours.merge(index, Days.Hour.of(index, counted.status(), counted.runs()), Days.Hour::plus);
      }
    }
    return Days.strip(List.copyOf(hours.values()), now);
  }
}
