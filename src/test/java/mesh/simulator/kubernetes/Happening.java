package mesh.simulator.kubernetes;

/** What a pod on the node has to deal with. */
sealed interface Happening {

  /** A container's main process has ended, and everything else in it. */
  record Ended(RunningContainer container) implements Happening {}

  /** Somebody asked for its deletion. */
  record Deleted(long graceSeconds) implements Happening {}

  /** The node is short of something. */
  record Evicted(String message) implements Happening {}

  /** Nobody hears of the node any more. */
  record NodeLost() implements Happening {}

  /** The object is gone. */
  record Vanished() implements Happening {}
}
