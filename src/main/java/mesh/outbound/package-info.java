/**
 * Where Mesh's own fetches may go when somebody wrote the address: models' base URLs, webhooks.
 * Knows nothing of what is fetched, or with which key.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package mesh.outbound;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
