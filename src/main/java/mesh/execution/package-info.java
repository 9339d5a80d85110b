/**
 * The boundary between Mesh and the machines that run commands.
 *
 * <p>{@link mesh.execution.Backend} is the intersection of what every vendor can do. Anything only
 * some vendors can do is its own interface, listed in {@link mesh.execution.Capability}, that a
 * backend class either implements or does not. Each adapter lives in one subpackage and is
 * invisible outside it.
 *
 * <p>This module knows nothing of runs, agents, budgets or credentials: those rules belong to
 * {@code mesh.workspace}, its only caller. No database, no web, no settings.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package mesh.execution;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
