/**
 * The loop: drives runs from step to step, in the control plane and never in a sandbox. It is given
 * tools and models and knows neither workspaces nor vendors.
 */
@ApplicationModule(
    allowedDependencies = {"agent", "database", "fault", "inference", "run", "telemetry", "tool"})
@NullMarked
package mesh.harness;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
