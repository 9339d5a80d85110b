package mesh.run;

/**
 * A run that the holder of {@code fence} may drive. Whoever takes the run over later gets a higher
 * fence, and steps under a lower one are refused.
 */
public record DrivenRun(RunId run, long fence) {}
