package mesh.dashboard;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
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

  private final RunWorkspaces compute;
  private final WorkspaceFacts workspaces;

  RunViews(RunWorkspaces compute, WorkspaceFacts workspaces) {
    this.compute = compute;
    this.workspaces = workspaces;
  }

  List<RunRow> rows(Collection<Run> runs, Instant now) {
    Map<RunId, RunWorkspace> found = compute.of(runs.stream().map(Run::id).toList());
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
    Badge status = RunWords.badge(run.status());
    List<Fact> facts = workspaces.facts(run);
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
