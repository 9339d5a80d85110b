/**
 * Tells programs outside what happens to runs, by signed HTTP calls that are repeated until they
 * are taken. Listens to {@link mesh.run.RunCreated}, {@link mesh.run.RunNoticed}, {@link
 * mesh.run.RunAwaitsInput} and {@link mesh.run.RunEnded}, and writes what is to be told in the same
 * transaction. Knows neither tools nor workspaces.
 */
@ApplicationModule(
    allowedDependencies = {
      "access",
      "activity",
      "agent",
      "database",
      "outbound",
      "redaction",
      "run",
      "secret",
      "web"
    })
@NullMarked
package mesh.webhook;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
