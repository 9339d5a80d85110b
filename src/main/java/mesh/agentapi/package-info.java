/**
 * The agents' API: what an agent with a run token may call. No path or body field names a run, an
 * agent or a workspace; all come from the token. Over plain HTTP and over MCP alike. Knows tools
 * only by their names and schemas.
 */
@ApplicationModule(allowedDependencies = {"access", "activity", "database", "run", "tool", "web"})
@NullMarked
package mesh.agentapi;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
