package mesh.workspace;

import java.util.List;
import java.util.Map;
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
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/workspaces")
class WorkspaceController {

  private final WorkspaceLedger ledger;

  WorkspaceController(WorkspaceLedger ledger) {
    this.ledger = ledger;
  }

  @GetMapping
  Map<String, @Nullable Object> list(
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(defaultValue = Limit.DEFAULT) Limit limit,
      @RequestParam(required = false) @Nullable Cursor cursor) {
    return Page.of(
            ledger.list(
                status == null ? null : state(status),
                cursor == null ? null : cursor.at(),
                cursor == null ? null : cursor.uuid(),
                limit.toFetch()),
            limit,
            view -> Cursor.after(view.createdAt(), view.id().value()))
        .map(WorkspaceJson::of)
        .json("workspaces");
  }

  /** Those whose end their vendor has not confirmed although their credential was taken back. */
  @GetMapping("/alive-after-revocation")
  Map<String, List<StillAliveJson>> aliveAfterRevocation() {
    return Map.of(
        "workspaces", ledger.aliveAfterRevocation().stream().map(StillAliveJson::of).toList());
  }

  @GetMapping("/{id}")
  WorkspaceJson one(@PathVariable UUID id) {
    return WorkspaceJson.of(found(id));
  }

  /** Answers 202: the workspace is out of reach at once; the vendor confirms a little later. */
  @PostMapping("/{id}/release")
  @ResponseStatus(HttpStatus.ACCEPTED)
  WorkspaceJson release(@PathVariable UUID id, @AuthenticationPrincipal Operator operator) {
    var workspace = found(id);
    if (!ledger.release(workspace, operator.actor())) {
      throw Problem.conflict(
          "workspace_" + workspace.state().word(),
          "Workspace %s is %s: there is nothing to release."
              .formatted(id, workspace.state().word()));
    }
    return WorkspaceJson.of(found(id));
  }

  private WorkspaceView found(UUID id) {
    return ledger
        .find(new WorkspaceId(id))
        .orElseThrow(
            () -> Problem.notFound("workspace_unknown", "There is no workspace " + id + "."));
  }

  private static WorkspaceState state(String word) {
    try {
      return WorkspaceState.of(word);
    } catch (IllegalArgumentException unknown) {
      throw Problem.badRequest(
          "status_unknown", "There is no workspace status '" + word + "': see the list of them.");
    }
  }
}
