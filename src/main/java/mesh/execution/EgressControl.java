package mesh.execution;

/**
 * A backend that can limit where a sandbox connects. How well is said by {@link EgressGrade}, which
 * every such class carries.
 *
 * <p>A policy is a parameter only here, so it cannot be handed to a backend that would ignore it.
 * Without this, outbound access is open.
 */
public interface EgressControl {

  /** At which layer the limit holds, weakest first. */
  enum Grade {
    /** Names outside the list are not resolved. */
    DNS,
    /** Connections are let through by the name that a TLS client says. */
    SNI,
    /** Every request is read and let through by its own host. */
    L7,
    /** Packets to anywhere else are dropped. */
    KERNEL
  }

  /**
   * As {@link Backend#acquire}, with outbound connections outside {@code policy} refused from the
   * first moment. A sandbox that exists already keeps the policy it was made with.
   *
   * @throws BackendException.Rejected if the policy cannot be kept here; nothing is left behind
   */
  Sandbox acquire(SandboxSpec spec, EgressPolicy policy) throws InterruptedException;
}
