/**
 * Who may call Mesh: people with sessions, API tokens, run tokens, roles, the first set-up. Modules
 * that serve HTTP learn from it who calls ({@link mesh.access.Operator}, {@link
 * mesh.access.RunCaller}). Does not know what is called.
 */
@ApplicationModule(allowedDependencies = {"activity", "web", "database"})
@NullMarked
package mesh.access;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
