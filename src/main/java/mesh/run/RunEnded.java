package mesh.run;

/** A run ended, however; published inside the ending transaction. */
public record RunEnded(RunId run, RunStatus status, String reason) {}
