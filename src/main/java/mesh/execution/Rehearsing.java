package mesh.execution;

import java.util.List;

/**
 * A backend that can be asked whether it would make a sandbox, and why not, without making one.
 * Without this a trial learns one reason at a time, each from a sandbox that did not come to be.
 */
public interface Rehearsing {

  /** What can be asked, in the order in which it helps to know; makes no call by itself. */
  List<Check> checks(SandboxSpec spec);

  /**
   * One thing that must be so.
   *
   * @param name a word or two, in lower snake case
   */
  record Check(String name, Question question) {}

  /** May be asked as often as one likes: no sandbox comes of it. */
  @FunctionalInterface
  interface Question {

    /**
     * What was found to be well, for an operator.
     *
     * @throws BackendException with the whole reason if it is not
     */
    String ask() throws InterruptedException;
  }
}
