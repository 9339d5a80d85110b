package mesh.dashboard;

import java.util.List;
import java.util.Optional;
import mesh.agent.AgentId;
import org.springframework.stereotype.Component;

/** Agents to choose from. */
@Component
class AgentChoices {

  List<String> slugs() {
    return List.of();
  }

  Optional<AgentId> idOf(String slug) {
    return Optional.empty();
  }
}
