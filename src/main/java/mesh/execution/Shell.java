package mesh.execution;

/**
 * Marks a backend whose commands are ordinary programs: {@code sh}, git, package managers. Tools
 * that need them say so, and credentials can be delivered only where this is.
 */
public interface Shell {}
