package mesh.run;

/**
 * Mesh told whoever asked for the run something; published inside the transaction of the step.
 *
 * @param seq of the step
 * @param kind a word for programs, such as {@code sandbox_starting}; empty if there is none
 * @param text a sentence, without the run's secrets
 */
public record RunNoticed(RunId run, int seq, String kind, String text) {}
