/**
 * Values that must not be seen: the type that carries one in memory, the encryption that keeps it
 * in the database, and the keyset. Knows nothing of what the secrets are for.
 */
@ApplicationModule(allowedDependencies = {"database"})
@NullMarked
package mesh.secret;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
