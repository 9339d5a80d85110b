/**
 * The pages for operators: server-rendered, usable without scripts. A leaf: reads other modules
 * through their interfaces and turns what it gets into {@link mesh.dashboard.view view records}.
 * Knows no backend by name and never touches a sandbox.
 */
@ApplicationModule(
    allowedDependencies = {
      "access",
      "activity",
      "agent",
      "credential",
      "inference",
      "run",
      "secret",
      "settings",
      "web",
      "webhook",
      "workspace",
      "execution :: catalog"
    })
@NullMarked
package mesh.dashboard;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
