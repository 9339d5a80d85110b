/**
 * What all HTTP interfaces of Mesh share: errors as {@code application/problem+json} with stable
 * codes, and cursors of lists. Knows nothing of what the interfaces are about.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package mesh.web;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
