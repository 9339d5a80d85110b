package mesh.history;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What the database holds in the end. */
public record Ledger(
    List<RunRow> runs,
    List<WorkspaceRow> workspaces,
    List<TeardownRow> teardowns,
    List<Mark> taints,
    List<Mark> issuances,
    List<PermissionRow> permissions,
    List<ActivityRow> activity) {

  public Ledger {
    runs = List.copyOf(runs);
    workspaces = List.copyOf(workspaces);
    teardowns = List.copyOf(teardowns);
    taints = List.copyOf(taints);
    issuances = List.copyOf(issuances);
    permissions = List.copyOf(permissions);
    activity = List.copyOf(activity);
  }

  static Ledger empty() {
    return new Ledger(List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
  }

  Optional<RunRow> run(UUID id) {
    return runs.stream().filter(run -> run.id().equals(id)).findFirst();
  }

  /**
   * @param finishedCalls how many calls of tools are recorded with their result
   */
  public record RunRow(
      UUID id, UUID agent, String status, @Nullable Instant endedAt, int finishedCalls) {}

  /**
   * @param inheritedFrom the workspace whose sandbox it took over; null if none
   * @param charged seconds that the vendor may have counted, the present spell among them
   */
  public record WorkspaceRow(
      UUID id,
      UUID run,
      UUID agent,
      String state,
      @Nullable String key,
      @Nullable UUID inheritedFrom,
      double charged) {}

  /**
   * @param doneAt null while it is not done
   */
  public record TeardownRow(
      UUID workspace, @Nullable Instant doneAt, int attempts, @Nullable String error) {}

  /**
   * A revision that a workspace is tainted by, or that a run was issued.
   *
   * @param of the workspace or the run
   */
  public record Mark(UUID of, UUID agent, String provider, long revision) {}

  public record PermissionRow(UUID agent, String provider, long revision) {}

  /**
   * An entry about a credential or a permission.
   *
   * @param revision that it says the decision led to
   */
  public record ActivityRow(String action, UUID agent, String provider, long revision) {}
}
