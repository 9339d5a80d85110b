/**
 * What an agent may call. Other modules contribute {@link mesh.tool.Tool}s; the loop, the agents'
 * API and MCP call them through {@link mesh.tool.ToolCalls}, the one place where a call becomes a
 * step. Knows nothing of what tools do.
 */
@ApplicationModule(allowedDependencies = {"redaction", "run", "telemetry"})
@NullMarked
package mesh.tool;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
