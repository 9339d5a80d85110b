package mesh.agent;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An agent as it is.
 *
 * @param deletedAt null unless it was deleted; its runs remain
 */
public record Agent(
    AgentId id,
    AgentDraft terms,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant deletedAt) {

  public String slug() {
    return terms.slug();
  }

  public String name() {
    return terms.name();
  }

  /** The only backend its workspaces may use; null for whichever comes first. */
  public @Nullable String runtimeBackend() {
    return terms.runtimeBackend();
  }

  /** A JSON object. */
  public String model() {
    return terms.model();
  }

  public int maxConcurrentWorkspaces() {
    return terms.maxConcurrentWorkspaces();
  }

  /** For one run. */
  public int maxComputeSeconds() {
    return terms.maxComputeSeconds();
  }
}
