package mesh.execution;

/**
 * A backend whose {@link Backend#release} keeps the file system asleep instead of destroying it.
 * Without this, files are lost at release.
 */
public interface Hibernator {

  /** Wakes a released sandbox, files intact. */
  Sandbox wake(ExternalRef ref) throws InterruptedException;

  /**
   * Destroys a sandbox, running or asleep, and its files. Destroying what is already gone succeeds.
   */
  void destroy(ExternalRef ref) throws InterruptedException;
}
