package mesh.workspace;

import java.util.Set;
import mesh.agent.AgentId;
import mesh.credential.Provider;
import mesh.execution.Backend;
import mesh.execution.ExternalRef;
import mesh.execution.catalog.BackendName;

/**
 * What this instance must know of a sandbox to end it without asking the database.
 *
 * @param issued the providers whose credentials the run was issued
 */
record Hold(
    Lease lease,
    AgentId agent,
    BackendName runtime,
    Backend backend,
    ExternalRef ref,
    Set<Provider> issued) {}
