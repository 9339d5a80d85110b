/**
 * Keeps secrets out of bytes: every run of bytes that an occurrence of a secret covers becomes one
 * marker, whatever the chunking. Knows the algorithm, not whose secrets they are or where the bytes
 * come from.
 */
@ApplicationModule(allowedDependencies = {"secret"})
@NullMarked
package mesh.redaction;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
