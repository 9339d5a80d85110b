package mesh.agent;

import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Instant;
import java.util.UUID;
import java.util.function.UnaryOperator;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** How agents look over HTTP. Fields nobody knows are refused. */
final class AgentBodies {

  private AgentBodies() {}

  /** Everything but the slug may be left out. */
  record Creation(
      @Nullable String slug,
      @Nullable String name,
      @Nullable JsonNode runtimeBackend,
      @Nullable JsonNode model,
      @Nullable Integer maxConcurrentWorkspaces,
      @Nullable Integer maxComputeSeconds) {

    AgentDraft draft() {
      if (slug == null) {
        throw invalid("slug", "is missing");
      }
      return new Change(name, runtimeBackend, model, maxConcurrentWorkspaces, maxComputeSeconds)
          .apply(AgentDraft.of(slug));
    }
  }

  /** What is left out stays; a {@code runtime_backend} of null ends the pin. */
  record Change(
      @Nullable String name,
      @Nullable JsonNode runtimeBackend,
      @Nullable JsonNode model,
      @Nullable Integer maxConcurrentWorkspaces,
      @Nullable Integer maxComputeSeconds)
      implements UnaryOperator<AgentDraft> {

    @Override
    public AgentDraft apply(AgentDraft before) {
      AgentDraft after = name == null ? before : before.named(name);
      after = pinned(after);
      if (model != null) {
        if (!model.isObject()) {
          throw invalid("model", "must be an object");
        }
        after = after.withModel(model.toString());
      }
      return after.withBudget(
          maxConcurrentWorkspaces == null
              ? before.maxConcurrentWorkspaces()
              : maxConcurrentWorkspaces,
          maxComputeSeconds == null ? before.maxComputeSeconds() : maxComputeSeconds);
    }

    private AgentDraft pinned(AgentDraft draft) {
      if (runtimeBackend == null) {
        return draft;
      }
      if (runtimeBackend.isNull()) {
        return draft.unpinned();
      }
      if (!runtimeBackend.isString()) {
        throw invalid("runtime_backend", "must be a runtime's name or null");
      }
      return draft.pinnedTo(runtimeBackend.stringValue());
    }
  }

  record Answer(
      UUID id,
      String slug,
      String name,
      @Nullable String runtimeBackend,
      @JsonRawValue String model,
      int maxConcurrentWorkspaces,
      int maxComputeSeconds,
      Instant createdAt,
      Instant updatedAt) {

    static Answer of(Agent agent) {
      return new Answer(
          agent.id().value(),
          agent.slug(),
          agent.name(),
          agent.runtimeBackend(),
          agent.model(),
          agent.maxConcurrentWorkspaces(),
          agent.maxComputeSeconds(),
          agent.createdAt(),
          agent.updatedAt());
    }
  }

  private static Problem invalid(String field, String rule) {
    return Problem.badRequest("agent_invalid", "Field %s %s.".formatted(field, rule))
        .with("pointer", "/" + field);
  }
}
