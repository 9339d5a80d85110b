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
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

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

  /** What the last comparison of each vendor's own list with the rows found. */
  @GetMapping("/inventory")
  Map<String, List<ComparedInventory>> inventory() {
    return Map.of("inventories", ledger.inventories());
  }

  @GetMapping("/{id}")
  WorkspaceJson one(@PathVariable UUID id) {
    return WorkspaceJson.of(found(id));
  }

  /**
   * Answers 202: the workspace is out of reach at once; the vendor confirms a little later. With
   * {@code "by_hand": true} a person says that a stranded sandbox was deleted at the vendor.
   */
  @PostMapping("/{id}/release")
  @ResponseStatus(HttpStatus.ACCEPTED)
  WorkspaceJson release(
      @PathVariable UUID id,
      @RequestBody(required = false) @Nullable ReleaseJson asked,
      @AuthenticationPrincipal Operator operator) {
    var workspace = found(id);
    if (asked != null && Boolean.TRUE.equals(asked.byHand())) {
      return releasedByHand(workspace, operator);
    }
    if (!ledger.release(workspace, operator.actor())) {
      throw Problem.conflict(
          "workspace_" + workspace.state().word(),
          "Workspace %s is %s: there is nothing to release."
              .formatted(id, workspace.state().word()));
    }
    return WorkspaceJson.of(found(id));
  }

  private WorkspaceJson releasedByHand(WorkspaceView workspace, Operator operator) {
    if (!ledger.releasedByHand(workspace, operator.actor())) {
      throw Problem.conflict(
          "workspace_not_stranded",
          "Workspace %s is %s: only a stranded one can be marked as released by hand."
              .formatted(workspace.id(), workspace.state().word()));
    }
    return WorkspaceJson.of(found(workspace.id().value()));
  }

  /**
   * @param byHand whether a person deleted the sandbox at the vendor; null for no
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record ReleaseJson(@Nullable Boolean byHand) {}

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
