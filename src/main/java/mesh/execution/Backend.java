package mesh.execution;

/**
 * One place that runs commands: the small intersection of what every vendor can do.
 *
 * <p>Lifecycle of a sandbox: {@link #acquire} under a key that Mesh chose and committed beforehand;
 * any number of {@link Sandbox} operations, from any thread and any instance of Mesh ({@link
 * #attach}); {@link #release}. Acquire does not imply create and release does not imply destroy: a
 * backend may find, wake or keep. What only some vendors can do is an interface of its own that a
 * backend class also implements, see {@link Capability}.
 *
 * <p>All methods may be called concurrently. They block, and are called on virtual threads; an
 * interrupt is a cancel: the implementation stops the remote work as far as the vendor allows, then
 * throws {@link InterruptedException}. Every method throws {@link BackendException} when the vendor
 * cannot do what was asked.
 *
 * <p>The list of methods is frozen by a test: what one vendor can do belongs elsewhere.
 */
public interface Backend extends AutoCloseable {

  /**
   * Creates, or finds, the sandbox named by {@link SandboxSpec#key()} and waits until it accepts
   * commands and its project directory exists.
   *
   * <p>Idempotent: calling again with the same key, also after a crash or a lost answer, yields the
   * same sandbox, never a second one.
   */
  Sandbox acquire(SandboxSpec spec) throws InterruptedException;

  /**
   * Returns a handle to a live sandbox, for example in another instance of Mesh or after a restart.
   *
   * @throws BackendException.SandboxGone if it no longer exists
   */
  Sandbox attach(ExternalRef ref) throws InterruptedException;

  /**
   * Ends Mesh's use of a sandbox with everything that runs in it, and says what became of it.
   * Idempotent: releasing what is already gone answers {@link Release#DESTROYED}.
   */
  Release release(ExternalRef ref) throws InterruptedException;

  /**
   * Everything that Mesh installation {@code installation} made here and that still exists. What
   * other installations made, what was made by hand and what other software made is only counted.
   */
  Inventory list(InstallationId installation) throws InterruptedException;

  /** Closes connections to the vendor. Sandboxes live on. Idempotent. */
  @Override
  void close();
}
