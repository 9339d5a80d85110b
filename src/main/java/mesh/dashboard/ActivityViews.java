package mesh.dashboard;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import mesh.activity.Recorded;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.ActivityPage;
import mesh.dashboard.view.ActivityPage.Change;
import mesh.dashboard.view.Field;
import mesh.dashboard.view.FieldError;
import mesh.dashboard.view.Shell;
import mesh.dashboard.view.Spoken;
import mesh.dashboard.view.When;
import mesh.web.Page;
import org.springframework.stereotype.Component;

/** Entries of the audit as the page shows them. */
@Component
class ActivityViews {

  private static final int CHANGES = 12;

  private final InstantSource clock;

  ActivityViews(InstantSource clock) {
    this.clock = clock;
  }

  ActivityPage page(
      Shell shell, ActivityQuery query, List<FieldError> errors, Page<Recorded> part) {
    Instant now = clock.instant();
    return new ActivityPage(
        shell,
        errors,
        new ActivityPage.Filters(
            field("agent", "Agent", query.agent(), errors),
            field("run", "Run", query.run(), errors),
            field("actor", "Who", query.actor(), errors),
            field("action", "What", query.action(), errors),
            field("since", "Since (UTC)", query.since(), errors)),
        part.rows().stream().map(Recorded::action).distinct().sorted().toList(),
        query.filters(),
        part.rows().stream().map(it -> line(it, now)).toList(),
        query.export("csv"),
        query.export("jsonl"),
        part.next().map(query::from).orElse(""),
        query.cursor().isPresent() ? query.address() : "");
  }

  private static Field field(String name, String label, String value, List<FieldError> errors) {
    String error =
        errors.stream()
            .filter(it -> it.field().equals(name))
            .map(FieldError::text)
            .findFirst()
            .orElse("");
    return new Field(name, name, label, "", VisibleText.line(value), error);
  }

  static ActivityPage.Line line(Recorded entry, Instant now) {
    List<Change> changes = Differences.of(entry.before(), entry.after());
    UUID run = entry.run();
    int left = changes.size() - CHANGES;
    return new ActivityPage.Line(
        When.of(entry.at(), now),
        VisibleText.line(entry.actor()),
        VisibleText.line(entry.action()),
        VisibleText.line(Objects.requireNonNullElse(entry.agent(), "")),
        run == null ? "" : run.toString(),
        run == null ? "" : RunWords.shortId(run.toString()),
        VisibleText.line(Objects.requireNonNullElse(entry.connection(), "")),
        left > 0 ? changes.subList(0, CHANGES) : changes,
        left > 0 ? Spoken.count(left, "more change", "more changes") + ": see the export." : "");
  }
}
