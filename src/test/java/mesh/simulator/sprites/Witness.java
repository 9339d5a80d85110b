package mesh.simulator.sprites;

/**
 * Is told what happens to sprites, at that moment and on the thread on which it happens, which goes
 * on when this returns.
 */
public interface Witness {

  /** Sees nothing. */
  Witness NOBODY = new Witness() {};

  /** It is about to exist; nobody can find it yet. */
  default void created(String sprite) {}

  /** Its machine runs. */
  default void woke(String sprite) {}

  /** Nothing of it runs any more; its files are there, unless it is being destroyed. */
  default void slept(String sprite) {}

  /** Nothing is left of it. */
  default void destroyed(String sprite) {}

  /** A command runs. */
  default void began(String sprite, String session) {}

  /** Nothing of a command holds its output any more. Not told of one that its machine ends. */
  default void ended(String sprite, String session) {}

  /** A command is sent input. */
  default void heard(String sprite, String session, byte[] input) {}
}
