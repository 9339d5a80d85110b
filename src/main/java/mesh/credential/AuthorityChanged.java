package mesh.credential;

import mesh.agent.AgentId;

/**
 * Published after the commit of a change that ends what an agent's runs were issued. Only a hint:
 * what must see it asks the database.
 */
public record AuthorityChanged(AgentId agent) {}
