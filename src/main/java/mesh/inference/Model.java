package mesh.inference;

/** Decides what a run does next. Thread-safe. */
public interface Model {

  /**
   * @throws InterruptedException if the run was cancelled meanwhile
   */
  Turn next(Transcript transcript) throws InterruptedException;
}
