/**
 * What operators set while Mesh runs: which backends there are for workspaces, with their
 * configuration, and the connections to models. Pages and checks follow the descriptors of {@code
 * execution.catalog}; no vendor is known here, and none is ever called.
 */
@ApplicationModule(
    allowedDependencies = {
      "access",
      "activity",
      "agent",
      "database",
      "execution :: catalog",
      "inference",
      "outbound",
      "secret",
      "web"
    })
@NullMarked
package mesh.settings;

import org.jspecify.annotations.NullMarked;
import org.springframework.modulith.ApplicationModule;
