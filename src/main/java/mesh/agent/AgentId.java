package mesh.agent;

import java.util.UUID;

/** A row of {@code runtime_agents}. */
public record AgentId(UUID value) {

  @Override
  public String toString() {
    return value.toString();
  }
}
