package mesh.execution;

/**
 * What became of a command. Trouble with the vendor before it could have started is a {@link
 * BackendException} instead.
 */
public sealed interface Outcome {

  /**
   * The leader exited by itself.
   *
   * @param code 0 to 255; 127 if there is no such program, 126 if it cannot be executed
   * @param stillRunning children it left in the background; 0 if none or if the backend cannot tell
   */
  record Exited(int code, int stillRunning) implements Outcome {}

  /**
   * A signal ended the leader. Vendors report it as exit code 128 + signal, as a shell does, so a
   * program that exits with such a code by itself is reported as signalled too.
   *
   * @param signal 1 to 64
   */
  record Signalled(int signal, int stillRunning) implements Outcome {}

  /** Killed at {@link Command#timeout()}, with its whole process tree. Output so far is kept. */
  record TimedOut() implements Outcome {}

  /** Killed for exceeding the sandbox's memory. The vendor may have ended the sandbox with it. */
  record OutOfMemory() implements Outcome {}

  /**
   * The vendor lost the answer: the command may have run, in part or whole. Never reported as
   * success and never run again by Mesh.
   *
   * @param why in words an operator understands
   */
  record Unknown(String why) implements Outcome {}

  /** The command did not start, because of its working directory. */
  record NoSuchDirectory() implements Outcome {}

  /** An exit status as a shell sees it: 128 + n, for n from 1 to 64, means ended by signal n. */
  static Outcome ofStatus(int status, int stillRunning) {
    return status > 128 && status <= 192
        ? new Signalled(status - 128, stillRunning)
        : new Exited(status, stillRunning);
  }
}
