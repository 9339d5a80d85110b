package mesh.execution;

/**
 * A handle to one live sandbox. Thread-safe; holds no resource that must be closed.
 *
 * <p>Every method throws {@link BackendException.SandboxGone} when the sandbox no longer exists.
 */
public interface Sandbox {

  ExternalRef ref();

  /** The directory the agent works in. It exists and is empty when the sandbox is new. */
  SandboxPath project();

  /** The home directory of the user that commands run as; outside {@link #project()}. */
  SandboxPath home();

  /**
   * Runs a command to its end, handing output to {@code sink} as it arrives.
   *
   * <p>Returns when the command's leader has exited and its output so far was delivered; children
   * it left in the background may hold the pipes open, so output is drained for {@link
   * Command#DRAIN} at most, after which theirs is discarded. At {@link Command#timeout()} and on
   * interrupt the command's whole process tree ends, also children that left the process group or
   * the session.
   *
   * <p>The sink is called only on the calling thread, in order per channel, and may block: a slow
   * sink slows the command, and memory stays bounded whatever the command prints. If the sink
   * throws, the command is ended and the exception is passed on.
   *
   * <p>Never retried once the vendor may have started the command: a lost answer is {@link
   * Outcome.Unknown}.
   */
  Outcome exec(Command command, OutputSink sink) throws InterruptedException;

  /**
   * Reads up to {@code maxBytes} of a regular file from {@code offset} on; never blocks on a pipe
   * or a device.
   *
   * @param offset in bytes, from 0; at or past the end yields no bytes
   * @param maxBytes from 1 to {@link FileRead#MAX_BYTES}
   */
  FileRead read(SandboxPath path, long offset, int maxBytes) throws InterruptedException;

  /**
   * Writes a whole file atomically: a reader sees the old content or the new, whatever fails in
   * between. Parent directories are created. An existing file keeps its mode and a new one gets
   * {@code 0644}, unless {@code mode} says otherwise. A link that leads out of {@link #project()}
   * is refused where the backend can tell, when {@code path} is inside.
   *
   * @param content at most {@link FileWrite#MAX_BYTES}
   */
  FileWrite write(SandboxPath path, byte[] content, FileMode mode) throws InterruptedException;
}
