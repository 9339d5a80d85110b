/**
 * Runs, their steps and what happens to them: the durable record of what an agent did. Knows
 * nothing of workspaces, tools or models.
 *
 * <p>Publishes, inside the transaction of the change: {@link mesh.run.RunCreated} (heard by {@code
 * workspace}, which writes the pending row, and by {@code harness}, which drives the run), {@link
 * mesh.run.RunNoticed} and {@link mesh.run.RunEnded} (heard by {@code workspace}, which cancels
 * what runs in the sandbox and releases it). All of them are heard by {@code webhook}, which writes
 * down whom to tell; so is {@link mesh.run.RunAwaitsInput}.
 */
@ApplicationModule(
    allowedDependencies = {
      "access",
      "activity",
      "agent",
      "database",
      "redaction",
      "telemetry",
      "web"
    })
@NullMarked
package mesh.run;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
