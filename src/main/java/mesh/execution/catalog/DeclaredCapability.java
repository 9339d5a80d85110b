package mesh.execution.catalog;

/**
 * A capability as an operator reads it.
 *
 * @param name stable, lower snake case
 * @param withIt what a backend that has it offers, one sentence
 * @param withoutIt what its absence means, one sentence
 * @param grade how well, where a bare yes would lie: a word in lower case; empty otherwise
 * @param staysOpen what it does not cover, one sentence; empty if there is no grade
 */
public record DeclaredCapability(
    String name, boolean present, String withIt, String withoutIt, String grade, String staysOpen) {

  /** One that is there or is not. */
  public DeclaredCapability(String name, boolean present, String withIt, String withoutIt) {
    this(name, present, withIt, withoutIt, "", "");
  }
}
