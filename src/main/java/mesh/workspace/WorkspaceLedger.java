package mesh.workspace;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Entry;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/** What operators see of workspaces, and the one thing they may do to one: release it. */
@Service
public class WorkspaceLedger {

  private static final int MOST_ALIVE = 200;

  private final WorkspaceViewRepository views;
  private final ReleaseRepository rows;
  private final InventoryRepository inventories;
  private final Workspaces workspaces;
  private final InFlight inFlight;
  private final Releaser releaser;
  private final Activity activity;
  private final TransactionTemplate transaction;

  WorkspaceLedger(
      WorkspaceViewRepository views,
      ReleaseRepository rows,
      InventoryRepository inventories,
      Workspaces workspaces,
      InFlight inFlight,
      Releaser releaser,
      Activity activity,
      TransactionTemplate transaction) {
    this.views = views;
    this.rows = rows;
    this.inventories = inventories;
    this.workspaces = workspaces;
    this.inFlight = inFlight;
    this.releaser = releaser;
    this.activity = activity;
    this.transaction = transaction;
  }

  public Optional<WorkspaceView> find(WorkspaceId id) {
    return views.find(id);
  }

  public Optional<WorkspaceView> ofRun(RunId run) {
    return views.ofRun(run);
  }

  /**
   * Newest first.
   *
   * @param state null for all
   * @param createdBefore with {@code idBefore}, where the page begins; null for the first
   */
  public List<WorkspaceView> list(
      @Nullable WorkspaceState state,
      @Nullable Instant createdBefore,
      @Nullable UUID idBefore,
      int limit) {
    return views.list(state, createdBefore, idBefore, limit);
  }

  /**
   * Sandboxes that hold a credential which was taken back, and of which their vendor has not
   * confirmed the end although it was asked: no run can use them through Mesh, but what is in them
   * may still run. Whoever cannot wait ends the token at its provider.
   */
  public List<StillAlive> aliveAfterRevocation() {
    return views.aliveAfterRevocation(MOST_ALIVE);
  }

  /** How many workspaces have a sandbox, or may have one, by the runtime's name. */
  public Map<String, Integer> liveByRuntime() {
    return views.liveByRuntime();
  }

  /** The last comparison of each vendor's list with the rows, by the runtime's name. */
  public List<ComparedInventory> inventories() {
    return inventories.all();
  }

  /**
   * Takes a person's word that a stranded sandbox is gone. False if the workspace is not stranded.
   */
  public boolean releasedByHand(WorkspaceView workspace, ActorId by) {
    return Boolean.TRUE.equals(
        transaction.execute(_ -> {
          if (!rows.releasedByHand(workspace.id())) {
            return false;
          }
          activity.record(Entry.of(by, "workspace.released_by_hand").run(workspace.run().value()));
          return true;
        }));
  }

  /**
   * Puts a workspace out of its run's reach at once and has its sandbox released. False if there is
   * nothing to release: it never had a sandbox, or is released or on its way.
   */
  public boolean release(WorkspaceView workspace, ActorId by) {
    boolean retired =
        Boolean.TRUE.equals(
            transaction.execute(_ -> {
              if (!rows.retire(workspace.id(), "operator")) {
                return false;
              }
              activity.record(Entry.of(by, "workspace.released").run(workspace.run().value()));
              return true;
            }));
    if (retired) {
      workspaces.forget(workspace.run());
      inFlight.cancel(workspace.run());
      releaser.wake();
    }
    return retired;
  }
}
