/**
 * The first run of a new installation: shows on the console and the dashboard that everything
 * works, with a real run of a real agent.
 */
@ApplicationModule(allowedDependencies = {"access", "activity", "agent", "run", "web"})
@NullMarked
package mesh.walkthrough;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
