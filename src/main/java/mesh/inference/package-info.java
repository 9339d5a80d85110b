/**
 * Models: given what happened so far, what next? Knows nothing of runs' rows or of how tools work,
 * nor where connections are kept.
 */
@ApplicationModule(allowedDependencies = {"outbound", "secret"})
@NullMarked
package mesh.inference;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
