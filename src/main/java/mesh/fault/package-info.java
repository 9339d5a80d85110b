/**
 * Named moments at which a crash leaves the most awkward state. In production reaching one does
 * nothing; tests end the process there and see what a restart makes of it.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package mesh.fault;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
