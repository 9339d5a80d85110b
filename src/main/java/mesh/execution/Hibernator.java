package mesh.execution;

/**
 * A backend whose {@link Backend#release} ends all processes of a sandbox and keeps its file system
 * asleep instead of destroying it. Without this, files are lost at release.
 *
 * <p>A release answers {@link Release#HIBERNATED}, also the second time, and {@link
 * Release#DESTROYED} only if there was nothing any more. What sleeps is in {@link Backend#list},
 * and {@link Backend#acquire} under its key wakes it and never makes a second one. What {@link
 * Backend#attach} and handles from before the release do to a sleeping sandbox is the vendor's:
 * they find it gone, or they wake it. So whoever released it uses {@link #wake} alone.
 */
public interface Hibernator {

  /**
   * Wakes a released sandbox: its files and their modes intact, at the same paths, and nothing
   * running. Temporary files may be lost. Idempotent; one that is awake is left as it is.
   *
   * @throws BackendException.SandboxGone if it no longer exists
   */
  Sandbox wake(ExternalRef ref) throws InterruptedException;

  /**
   * Destroys a sandbox, running or asleep, and its files. Destroying what is already gone succeeds.
   */
  void destroy(ExternalRef ref) throws InterruptedException;
}
