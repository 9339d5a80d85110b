/**
 * Where Mesh keeps its rows and files: the embedded PostgreSQL that is used when no other is named,
 * the connection to either, the private data folder, and who this installation and this server are.
 * Knows no table but its own two.
 */
@ApplicationModule(allowedDependencies = {})
@NullMarked
package mesh.database;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
