package mesh.dashboard;

import jakarta.servlet.http.HttpServletRequest;
import java.util.UUID;
import mesh.access.Operator;
import mesh.dashboard.view.Mark;
import mesh.web.Cursor;
import mesh.web.Problem;
import mesh.workspace.WorkspaceId;
import mesh.workspace.WorkspaceLedger;
import mesh.workspace.WorkspaceView;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.ModelAndView;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The list of workspaces, and their release by hand. */
@Controller
class WorkspacesPageController {

  private final WorkspaceLedger ledger;
  private final WorkspacesPages pages;

  WorkspacesPageController(WorkspaceLedger ledger, WorkspacesPages pages) {
    this.ledger = ledger;
    this.pages = pages;
  }

  @GetMapping("/workspaces")
  ModelAndView list(
      @AuthenticationPrincipal Operator operator,
      @RequestParam(defaultValue = "") String status,
      @RequestParam(required = false) @Nullable Cursor cursor,
      HttpServletRequest request) {
    return new ModelAndView(
        "workspaces", "page", pages.page(request, operator, status.strip(), cursor));
  }

  @PostMapping("/workspaces/{id}/release")
  String release(
      @AuthenticationPrincipal Operator operator, @PathVariable UUID id, RedirectAttributes next) {
    WorkspaceView workspace =
        ledger
            .find(new WorkspaceId(id))
            .orElseThrow(
                () -> Problem.notFound("workspace_unknown", "There is no workspace " + id + "."));
    String shown =
        "Workspace %s of %s".formatted(RunWords.shortId(id.toString()), workspace.agentSlug());
    if (ledger.release(workspace, operator.actor())) {
      Said.on(
          next,
          Mark.GOOD,
          shown + " is out of its run's reach.",
          "Its sandbox is being destroyed; it stays in the list until its vendor confirms that.");
    } else {
      Said.on(
          next,
          Mark.ATTENTION,
          shown + " was not released.",
          "There is nothing to release: it never had a sandbox, or is released or on its way.");
    }
    return "redirect:/workspaces";
  }
}
