package mesh.dashboard;

import java.util.List;
import java.util.Optional;
import mesh.agent.Agent;
import mesh.agent.AgentId;
import mesh.agent.Agents;
import mesh.web.Limit;
import org.springframework.stereotype.Component;

/** Agents to choose from: more than fit into a list are found by search. */
@Component
class AgentChoices {

  private static final Limit MOST = new Limit(200);

  private final Agents agents;

  AgentChoices(Agents agents) {
    this.agents = agents;
  }

  /** In alphabetical order. */
  List<String> slugs() {
    return agents.newest(null, MOST).rows().stream().map(Agent::slug).sorted().toList();
  }

  Optional<AgentId> idOf(String slug) {
    return agents.find(slug).map(Agent::id);
  }
}
