/** Agents: who runs. */
@ApplicationModule(allowedDependencies = {"access", "activity", "database", "web"})
@NullMarked
package mesh.agent;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
