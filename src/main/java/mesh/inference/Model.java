package mesh.inference;

/** Decides what a run does next. Thread-safe; keeps nothing between two calls. */
public interface Model {

  /** How much one prompt may hold and one reply may say. */
  Window window();

  /**
   * What the model says to all that happened so far. Asks again by itself, with growing pauses,
   * while the model's service is busy or cannot be reached. Paid for whenever it was answered, so a
   * caller commits the reply before anything else.
   *
   * @throws ModelException if there is no reply to be had, by who can help
   * @throws InterruptedException if the run was cancelled meanwhile
   */
  Reply next(Prompt prompt) throws InterruptedException;

  /**
   * In tokens, as the model counts them.
   *
   * @param context everything: prompt and reply
   * @param reply the most that one reply may take of it
   */
  record Window(int context, int reply) {

    /** Of what has no limits. */
    public static final Window UNLIMITED = new Window(Integer.MAX_VALUE, 1);

    public Window {
      if (reply < 1 || context <= reply) {
        throw new IllegalArgumentException(
            "a window of %d tokens has no room for a reply of %d".formatted(context, reply));
      }
    }

    /** What is left for the prompt. */
    public int prompt() {
      return context - reply;
    }
  }
}
