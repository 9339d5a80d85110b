package mesh.inference;

/** Asks a model one short question, to see whether it can be reached. */
public interface ModelTrials {

  /**
   * Asks once. Costs what it costs; takes 45 s at most.
   *
   * @param model the name that the connection's service knows it by
   * @throws InterruptedException if the one who asked went away
   */
  ModelTrial trial(Connection connection, String model) throws InterruptedException;
}
