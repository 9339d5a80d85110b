/**
 * The agents' API: what an agent with a run token may call. No path or body field names a run, an
 * agent or a workspace; all come from the token. Knows tools only by their names and schemas.
 */
@ApplicationModule(allowedDependencies = {"access", "activity", "run", "tool", "web"})
@NullMarked
package mesh.agentapi;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
