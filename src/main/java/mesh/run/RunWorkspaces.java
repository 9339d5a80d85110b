package mesh.run;

import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a run's answer says of its workspace. Implemented by the module that has workspaces. */
public interface RunWorkspaces {

  /** For each run that has a row. One query, no vendor call. */
  Map<RunId, RunWorkspace> of(Collection<RunId> runs);

  /**
   * A workspace in the words of its run.
   *
   * @param backendKind null while pending
   * @param size null while pending
   * @param computeSeconds used so far
   */
  record RunWorkspace(
      UUID id,
      String status,
      @Nullable String backendKind,
      @Nullable String size,
      double computeSeconds) {}
}
