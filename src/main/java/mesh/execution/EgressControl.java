package mesh.execution;

/**
 * A backend that can limit where a sandbox connects.
 *
 * <p>A policy is a parameter only here, so it cannot be handed to a backend that would ignore it.
 * Without this, outbound access is open.
 */
public interface EgressControl {

  /** At which layer the limit holds, weakest first. */
  enum Grade {
    DNS,
    SNI,
    L7,
    KERNEL
  }

  /**
   * As {@link Backend#acquire}, with outbound connections outside {@code policy} refused from the
   * first moment.
   */
  Sandbox acquire(SandboxSpec spec, EgressPolicy policy) throws InterruptedException;

  Grade grade();

  /** One sentence: what stays open all the same, such as DNS lookups or raw addresses. */
  String staysOpen();
}
