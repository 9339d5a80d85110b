package mesh.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Badge;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.RunHead;
import mesh.dashboard.view.RunRow;
import mesh.dashboard.view.Spoken;
import mesh.dashboard.view.When;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.BackendName;
import mesh.execution.catalog.RuntimeCatalog;
import mesh.run.Run;
import mesh.run.RunId;
import mesh.run.RunMode;
import mesh.run.RunStatus;
import mesh.run.RunWorkspaces;
import mesh.run.RunWorkspaces.RunWorkspace;
import org.springframework.stereotype.Component;

/** Runs as rows become runs as pages show them. */
@Component
class RunViews {

  private static final int TITLE_CHARACTERS = 160;

  private final RunWorkspaces workspaces;
  private final RuntimeCatalog catalog;

  RunViews(RunWorkspaces workspaces, RuntimeCatalog catalog) {
    this.workspaces = workspaces;
    this.catalog = catalog;
  }

  List<RunRow> rows(Collection<Run> runs, Instant now) {
    Map<RunId, RunWorkspace> found = workspaces.of(runs.stream().map(Run::id).toList());
    return runs.stream()
        .map(run -> row(run, Optional.ofNullable(found.get(run.id())), now))
        .toList();
  }

  private static RunRow row(Run run, Optional<RunWorkspace> workspace, Instant now) {
    String id = run.id().toString();
    return new RunRow(
        id,
        RunWords.shortId(id),
        RunWords.badge(run.status()),
        reason(run),
        run.agentSlug(),
        title(run),
        actor(run),
        When.of(run.createdAt(), now),
        duration(run, now),
        since(run),
        Spoken.compute(workspace.map(RunWorkspace::computeSeconds).orElse(0.0)));
  }

  RunHead head(Run run, Instant now) {
    Optional<RunWorkspace> workspace =
        Optional.ofNullable(workspaces.of(List.of(run.id())).get(run.id()));
    Badge status = RunWords.badge(run.status());
    List<Fact> facts = workspace.map(it -> facts(it)).orElse(List.of());
    String summary = VisibleText.block(Objects.requireNonNullElse(run.summary(), ""));
    String id = run.id().toString();
    return new RunHead(
        id,
        RunWords.shortId(id),
        Integer.toHexString(Objects.hash(status, run.statusReason(), facts, summary)),
        status,
        reason(run),
        run.agentSlug(),
        VisibleText.line(run.createdByName()),
        VisibleText.line(Objects.requireNonNullElse(run.onBehalfOf(), "")),
        When.of(run.createdAt(), now),
        duration(run, now),
        since(run),
        facts,
        summary,
        !run.hasEnded(),
        run.mode() == RunMode.EXTERNAL);
  }

  static String title(Run run) {
    return VisibleText.firstLine(run.input(), TITLE_CHARACTERS);
  }

  /** The whole task; empty if the title says it all. */
  static String task(Run run) {
    String task = VisibleText.block(run.input().strip());
    return task.equals(title(run)) ? "" : task;
  }

  private List<Fact> facts(RunWorkspace workspace) {
    List<Fact> facts = new ArrayList<>();
    facts.add(Fact.of("Compute", Spoken.compute(workspace.computeSeconds())));
    String kind = workspace.backendKind();
    if (kind != null) {
      facts.add(new Fact("Runtime", runtime(kind), size(workspace), false));
    }
    facts.add(
        new Fact(
            "Workspace",
            capitalised(workspace.status()),
            kind == null
                ? "made when a tool needs it"
                : RunWords.shortId(workspace.id().toString()),
            false));
    return facts;
  }

  private String runtime(String kind) {
    return catalog
        .find(new BackendName(kind))
        .map(BackendDescriptor::title)
        // A kind that this build no longer knows; the row keeps its name as evidence.
        .orElse(kind);
  }

  private static String size(RunWorkspace workspace) {
    String size = workspace.size();
    return size == null ? "" : "size " + size;
  }

  private static String capitalised(String word) {
    return word.isEmpty()
        ? word
        : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1).replace('_', ' ');
  }

  private static String actor(Run run) {
    String behalf = run.onBehalfOf();
    return VisibleText.line(behalf == null || behalf.isEmpty() ? run.createdByName() : behalf);
  }

  /** Why; success needs no reason. */
  private static String reason(Run run) {
    return run.status() == RunStatus.COMPLETED
        ? ""
        : VisibleText.line(Objects.requireNonNullElse(run.statusReason(), ""));
  }

  private static String duration(Run run, Instant now) {
    if (run.status() == RunStatus.QUEUED) {
      return "–";
    }
    Instant end = Objects.requireNonNullElse(run.endedAt(), now);
    Instant start = Objects.requireNonNullElse(run.startedAt(), run.createdAt());
    return Spoken.duration(Duration.between(start, end));
  }

  private static String since(Run run) {
    return run.hasEnded() || run.status() == RunStatus.QUEUED
        ? ""
        : Objects.requireNonNullElse(run.startedAt(), run.createdAt()).toString();
  }
}
