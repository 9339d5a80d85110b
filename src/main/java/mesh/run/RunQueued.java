package mesh.run;

/** A run that waited can go on. Published inside the transaction that let it. */
public record RunQueued(RunId run) {}
