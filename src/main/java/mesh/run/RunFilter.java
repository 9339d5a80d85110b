package mesh.run;

import java.util.Optional;

/** Which runs to list. */
public record RunFilter(
    Optional<String> agentSlug, Optional<RunStatus> status, Optional<String> actorName) {

  public static final RunFilter ALL =
      new RunFilter(Optional.empty(), Optional.empty(), Optional.empty());
}
