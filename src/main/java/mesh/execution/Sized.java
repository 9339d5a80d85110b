package mesh.execution;

/**
 * Marks a backend that honours {@link SandboxSpec#size()} and reports {@link Outcome.OutOfMemory}.
 */
public interface Sized {}
