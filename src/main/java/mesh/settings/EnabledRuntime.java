package mesh.settings;

import mesh.execution.catalog.BackendName;

/**
 * A backend that workspaces may use.
 *
 * @param revision grows with every change of its row, so a backend opened before is known to be old
 */
public record EnabledRuntime(BackendName name, long revision) {}
