package mesh.simulator.sprites;

/** Which of two dialects the simulator speaks where the vendor and its own client disagree. */
public enum Mode {
  /**
   * As the live service was seen: file errors without {@code code}, {@code "entries": null} for an
   * empty directory, {@code null} for no checkpoints, a debug frame before {@code session_info}.
   */
  LIVE,

  /**
   * As version 0.1.0 of the vendor's client expects: file errors with {@code code}, empty lists,
   * and a text frame every 10 s, without which that client gives up on a silent command.
   */
  SDK_FRIENDLY
}
