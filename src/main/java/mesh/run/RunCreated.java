package mesh.run;

import mesh.activity.ActorId;
import mesh.agent.AgentId;

/** A run was created; published inside the creating transaction. */
public record RunCreated(RunId run, AgentId agent, ActorId createdBy, RunMode mode) {}
