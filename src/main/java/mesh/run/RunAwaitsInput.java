package mesh.run;

import mesh.agent.AgentId;

/**
 * A run waits until somebody says something to it. Published inside the transaction in which it
 * began to wait.
 *
 * @param question what it wants to know, without the run's secrets
 */
public record RunAwaitsInput(RunId run, AgentId agent, String question) {}
