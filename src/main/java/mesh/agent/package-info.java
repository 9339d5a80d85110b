/**
 * Agents: what runs are of. Knows no backends: whether one may be pinned, it asks {@link
 * mesh.agent.RuntimePins}.
 */
@ApplicationModule(allowedDependencies = {"access", "activity", "database", "web"})
@NullMarked
package mesh.agent;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
