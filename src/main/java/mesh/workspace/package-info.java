/**
 * One workspace per run, and the only module that reaches a sandbox: rows, placement, acquisition,
 * the operations with their checks, output, release, and the workspace tools.
 *
 * <p>A <b>workspace</b> is Mesh's row and rules; a <b>sandbox</b> is the vendor's machine. Nothing
 * here names a vendor: what a backend can do is asked of its capabilities.
 *
 * <p>Listens to {@link mesh.run.RunCreated} (writes the pending row) and {@link mesh.run.RunEnded}
 * (marks the row for release in the same transaction; the release itself follows).
 */
@ApplicationModule(
    allowedDependencies = {
      "access",
      "activity",
      "agent",
      "credential",
      "database",
      "execution",
      "execution :: catalog",
      "fault",
      "redaction",
      "run",
      "secret",
      "settings",
      "telemetry",
      "tool",
      "web"
    })
@NullMarked
package mesh.workspace;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
