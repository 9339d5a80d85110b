/**
 * The append-only audit: who did what to which agent, connection or run. Knows the subjects only by
 * their ids. Everything may write to it; it uses nothing.
 */
@ApplicationModule(allowedDependencies = {"web"})
@NullMarked
package mesh.activity;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
