package mesh.execution.catalog;

/**
 * A capability as an operator reads it.
 *
 * @param name stable, lower snake case
 * @param withIt what a backend that has it offers, one sentence
 * @param withoutIt what its absence means, one sentence
 */
public record DeclaredCapability(String name, boolean present, String withIt, String withoutIt) {}
