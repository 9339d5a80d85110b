package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import mesh.access.Operator;
import mesh.access.Role;
import mesh.dashboard.view.Option;
import mesh.dashboard.view.WorkspacesPage;
import mesh.web.Cursor;
import mesh.web.Limit;
import mesh.web.Page;
import mesh.workspace.WorkspaceLedger;
import mesh.workspace.WorkspaceState;
import mesh.workspace.WorkspaceView;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Isolation;
import org.springframework.transaction.annotation.Transactional;

/** Puts the list of workspaces together. */
@Component
class WorkspacesPages {

  private static final Limit ROWS = new Limit(50);

  /** Behind these there is or may be a sandbox: they come first, in this order. */
  private static final List<WorkspaceState> LIVE =
      List.of(
          WorkspaceState.STRANDED,
          WorkspaceState.CREATING,
          WorkspaceState.READY,
          WorkspaceState.HELD,
          WorkspaceState.RELEASING);

  private static final Set<WorkspaceState> IS_LIVE = EnumSet.copyOf(LIVE);

  private final Frames frames;
  private final WorkspaceLedger ledger;
  private final LiveSandboxes live;
  private final WorkspaceLines lines;
  private final InstantSource clock;

  WorkspacesPages(
      Frames frames,
      WorkspaceLedger ledger,
      LiveSandboxes live,
      WorkspaceLines lines,
      InstantSource clock) {
    this.frames = frames;
    this.ledger = ledger;
    this.live = live;
    this.lines = lines;
    this.clock = clock;
  }

  /**
   * Asks state by state, but of one moment: a workspace that moves on meanwhile would be in no
   * list.
   *
   * @param status empty for all; one that nobody knows counts as that
   * @param cursor null for the newest
   */
  @Transactional(readOnly = true, isolation = Isolation.REPEATABLE_READ)
  WorkspacesPage page(
      HttpServletRequest request, Operator operator, String status, @Nullable Cursor cursor) {
    Instant now = clock.instant();
    Optional<WorkspaceState> state = state(status);
    Page<WorkspaceView> part = part(state, cursor);
    boolean first = cursor == null;
    String address = state.map(it -> "/workspaces?status=" + it.word()).orElse("/workspaces");
    return new WorkspacesPage(
        frames.shell(request, operator, "workspaces"),
        Said.to(request),
        ledger.aliveAfterRevocation().stream().map(it -> lines.alive(it, now)).toList(),
        first && state.isEmpty()
            ? LIVE.stream().flatMap(live::in).map(it -> lines.line(it, now)).toList()
            : List.of(),
        rest(part, state).map(it -> lines.line(it, now)).toList(),
        Arrays.stream(WorkspaceState.values())
            .map(it ->
                new Option(
                    it.word(), WorkspaceLines.badge(it).word(), Optional.of(it).equals(state)))
            .toList(),
        state.isPresent(),
        part.next()
            .map(it -> address + (state.isPresent() ? "&" : "?") + "cursor=" + it)
            .orElse(""),
        first ? "" : address,
        operator.role().covers(Role.OPERATOR));
  }

  private Page<WorkspaceView> part(Optional<WorkspaceState> state, @Nullable Cursor cursor) {
    return Page.of(
        ledger.list(
            state.orElse(null),
            cursor == null ? null : cursor.at(),
            cursor == null ? null : cursor.uuid(),
            ROWS.toFetch()),
        ROWS,
        it -> Cursor.after(it.createdAt(), it.id().value()));
  }

  /** Without those that came first already. */
  private static Stream<WorkspaceView> rest(
      Page<WorkspaceView> part, Optional<WorkspaceState> state) {
    return part.rows().stream().filter(it -> state.isPresent() || !IS_LIVE.contains(it.state()));
  }

  private static Optional<WorkspaceState> state(String word) {
    return Arrays.stream(WorkspaceState.values()).filter(it -> it.word().equals(word)).findFirst();
  }
}
