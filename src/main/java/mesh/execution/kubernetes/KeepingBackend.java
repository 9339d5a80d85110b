package mesh.execution.kubernetes;

/** Pods whose project files can be kept. */
record KeepingBackend(Parts parts, Snapshots snapshots) implements Keeping {}
