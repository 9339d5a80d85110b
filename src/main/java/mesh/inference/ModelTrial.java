package mesh.inference;

import java.time.Duration;

/**
 * What became of one short question to a model, asked to see whether it can be reached.
 *
 * @param replied whether there was a reply, whatever it said
 * @param took until the reply or the trouble was there
 * @param sentence for an operator: the first trouble, or that it replied
 * @param usage of the reply
 */
public record ModelTrial(boolean replied, Duration took, String sentence, Reply.Usage usage) {}
