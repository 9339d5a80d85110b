package mesh.dashboard;

import java.time.Instant;
import java.util.Locale;
import java.util.Objects;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Badge;
import mesh.dashboard.view.Mark;
import mesh.dashboard.view.Spoken;
import mesh.dashboard.view.When;
import mesh.dashboard.view.WorkspacesPage;
import mesh.workspace.StillAlive;
import mesh.workspace.WorkspaceState;
import mesh.workspace.WorkspaceView;
import org.springframework.stereotype.Component;

/** Workspaces as their list shows them. */
@Component
class WorkspaceLines {

  private final RuntimeNames runtimes;

  WorkspaceLines(RuntimeNames runtimes) {
    this.runtimes = runtimes;
  }

  WorkspacesPage.Line line(WorkspaceView workspace, Instant now) {
    String id = workspace.id().toString();
    String run = workspace.run().toString();
    String kind = workspace.backendKind();
    return new WorkspacesPage.Line(
        id,
        RunWords.shortId(id),
        badge(workspace.state()),
        VisibleText.line(workspace.agentSlug()),
        run,
        RunWords.shortId(run),
        kind == null ? "" : VisibleText.line(runtimes.title(kind)),
        Objects.requireNonNullElse(workspace.size(), ""),
        EgressWords.of(workspace.egress()),
        When.of(workspace.createdAt(), now),
        Spoken.compute(workspace.computeSeconds()),
        why(workspace),
        VisibleText.line(Objects.requireNonNullElse(workspace.releaseError(), "")),
        question(workspace));
  }

  WorkspacesPage.Alive alive(StillAlive alive, Instant now) {
    return new WorkspacesPage.Alive(
        line(alive.workspace(), now),
        When.of(alive.since(), now),
        Spoken.count(alive.workspace().releaseAttempts(), "attempt", "attempts"),
        alive.providers().stream()
            .map(it -> new WorkspacesPage.Link(it.title(), it.revocationPage()))
            .toList());
  }

  static Badge badge(WorkspaceState state) {
    return switch (state) {
      case PENDING -> new Badge(Mark.QUIET, "No sandbox yet");
      case CREATING -> new Badge(Mark.ACTIVE, "Creating");
      case READY -> new Badge(Mark.GOOD, "Ready");
      case HELD -> new Badge(Mark.QUIET, "Held");
      case RELEASING -> new Badge(Mark.ACTIVE, "Releasing");
      case RELEASED -> new Badge(Mark.QUIET, "Released");
      case LOST -> new Badge(Mark.ATTENTION, "Lost");
      case STRANDED -> new Badge(Mark.BAD, "Stranded");
    };
  }

  private static String why(WorkspaceView workspace) {
    String reason = workspace.releaseReason();
    if (workspace.state() == WorkspaceState.HELD) {
      return workspace.heldUntil() == null
          ? "Asleep until its run needs it."
          : "Kept for the conversation's next run.";
    }
    if (reason == null) {
      return workspace.state() == WorkspaceState.PENDING ? "Made when a tool needs it." : "";
    }
    String words =
        switch (reason) {
          case "operator" -> "An operator released it.";
          case "continued" -> "the run that continues it has its sandbox.";
          case "idle" -> "nobody used it for long.";
          case "out_of_memory" -> "it ran out of memory: a larger one follows.";
          case "hold_expired" -> "no run came for it in time.";
          case "outlived_longest_run" -> "it was older than a run may become.";
          case "released_by_hand" -> "a person said that its sandbox is gone.";
          case "authorization_changed" -> "What its run was issued was changed or taken back.";
          default -> VisibleText.line(reason.replace('_', ' '));
        };
    return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
  }

  /** Empty where there is nothing to release. */
  private static String question(WorkspaceView workspace) {
    return switch (workspace.state()) {
      case CREATING, READY ->
          "Its sandbox is destroyed with all files in it, the command it is in ends, and its run"
              + " gets no other.";
      case HELD -> "Its sandbox is destroyed with all files that the next run would have found.";
      case LOST -> "The vendor says its sandbox is gone; Mesh asks it to make sure.";
      case STRANDED -> "Mesh tries again to have its sandbox destroyed.";
      case PENDING, RELEASING, RELEASED -> "";
    };
  }
}
