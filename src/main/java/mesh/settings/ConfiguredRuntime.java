package mesh.settings;

import mesh.execution.catalog.BackendConfig;
import mesh.execution.catalog.BackendName;

/**
 * A backend's configuration with its secrets in clear: for opening it, never for showing.
 *
 * @param config may lack required values if it is not enabled
 * @param revision grows with every change of its row
 */
public record ConfiguredRuntime(
    BackendName name, boolean enabled, BackendConfig config, long revision) {}
