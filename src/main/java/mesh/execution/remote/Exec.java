package mesh.execution.remote;

import java.util.List;
import mesh.execution.BackendException;

/** One vendor's way to run programs in its sandboxes. */
public interface Exec {

  /**
   * Starts a program with its input open, and returns when it waits for it. May be tried more than
   * once: the programs that are started here do nothing before they were sent something.
   *
   * @param sandbox the vendor's name for it
   * @throws BackendException.SandboxGone if there is none
   */
  ExecChannel open(String sandbox, List<String> argv) throws InterruptedException;

  /**
   * Ends what runs on a channel by the vendor's own means, after our own way failed. A vendor that
   * has none does nothing.
   */
  void kill(String sandbox, ExecChannel channel) throws InterruptedException;

  /**
   * Whether a command that was killed, or whose channel broke, ended because the sandbox's memory
   * ran out. A vendor that does not say answers no.
   */
  boolean ranOutOfMemory(String sandbox) throws InterruptedException;
}
