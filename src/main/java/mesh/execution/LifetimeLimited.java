package mesh.execution;

/**
 * Marks a backend whose vendor ends a sandbox by itself when {@link SandboxSpec#lifetime()} is
 * over, whether or not Mesh still lives. Without this, only Mesh ends sandboxes: as long as Mesh
 * stands still, they stay.
 */
public interface LifetimeLimited {}
