package mesh.simulator.modal;

/** How a command ended. */
sealed interface Exit {

  record Code(int code) implements Exit {}

  record Signal(int signal) implements Exit {}

  Exit KILLED = new Signal(9);

  /**
   * @param status 128 and the signal's number for a command that a signal ended, as a shell has it;
   *     one that exits with such a code by itself cannot be told from it
   */
  static Exit ofStatus(int status) {
    return status > 128 && status <= 192 ? new Signal(status - 128) : new Code(status);
  }

  /** As {@link #ofStatus} takes it. */
  default int status() {
    return switch (this) {
      case Code it -> it.code();
      case Signal it -> 128 + it.signal();
    };
  }
}
