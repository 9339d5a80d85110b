package mesh.agent;

import com.fasterxml.jackson.annotation.JsonRawValue;
import java.util.regex.Pattern;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;

/**
 * What somebody may decide about an agent.
 *
 * @param slug its name in addresses and for ever: {@code [a-z0-9-]}, 1 to 63 characters
 * @param runtimeBackend the only backend its workspaces may use; null for whichever comes first
 * @param model a JSON object, kept as it was given; what it means is the model clients' matter
 * @param maxConcurrentWorkspaces 1 to 10,000
 * @param maxComputeSeconds for one run; 1 second to a year
 */
public record AgentDraft(
    String slug,
    String name,
    @Nullable String runtimeBackend,
    @JsonRawValue String model,
    int maxConcurrentWorkspaces,
    int maxComputeSeconds) {

  private static final Pattern SLUG = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final int LONGEST_NAME = 200;
  private static final int LONGEST_MODEL = 64 * 1024;
  private static final int MOST_WORKSPACES = 10_000;
  private static final int MOST_SECONDS = 31_536_000;

  /**
   * @throws Problem 400 {@code agent_invalid} that names the field
   */
  public AgentDraft {
    demand(
        SLUG.matcher(slug).matches(),
        "slug",
        "must be 1 to 63 of a-z, 0-9 and -, with no - at either end");
    demand(
        !name.isBlank()
            && name.length() <= LONGEST_NAME
            && name.chars().noneMatch(Character::isISOControl),
        "name",
        "must be 1 to 200 characters on one line");
    demand(model.length() <= LONGEST_MODEL, "model", "must be at most 64 KiB");
    demand(
        maxConcurrentWorkspaces >= 1 && maxConcurrentWorkspaces <= MOST_WORKSPACES,
        "max_concurrent_workspaces",
        "must be 1 to 10000");
    demand(
        maxComputeSeconds >= 1 && maxComputeSeconds <= MOST_SECONDS,
        "max_compute_seconds",
        "must be 1 to 31536000");
  }

  /** With every default. */
  public static AgentDraft of(String slug) {
    return new AgentDraft(slug, slug, null, "{}", 5, 3600);
  }

  public AgentDraft named(String newName) {
    return new AgentDraft(
        slug, newName, runtimeBackend, model, maxConcurrentWorkspaces, maxComputeSeconds);
  }

  public AgentDraft pinnedTo(String backend) {
    return new AgentDraft(slug, name, backend, model, maxConcurrentWorkspaces, maxComputeSeconds);
  }

  public AgentDraft unpinned() {
    return new AgentDraft(slug, name, null, model, maxConcurrentWorkspaces, maxComputeSeconds);
  }

  public AgentDraft withModel(String json) {
    return new AgentDraft(
        slug, name, runtimeBackend, json, maxConcurrentWorkspaces, maxComputeSeconds);
  }

  public AgentDraft withBudget(int workspaces, int computeSeconds) {
    return new AgentDraft(slug, name, runtimeBackend, model, workspaces, computeSeconds);
  }

  private static void demand(boolean fulfilled, String field, String rule) {
    if (!fulfilled) {
      throw Problem.badRequest("agent_invalid", "Field %s %s.".formatted(field, rule))
          .with("pointer", "/" + field);
    }
  }
}
