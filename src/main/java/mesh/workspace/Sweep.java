package mesh.workspace;

import java.time.Duration;

/**
 * Something to look after again and again, on every instance. Each must bear that others do the
 * same at the same time, and that it is ended in the middle.
 */
interface Sweep {

  /** For the log. */
  String name();

  /** From the end of one to the beginning of the next. */
  Duration period();

  void sweep() throws InterruptedException;
}
