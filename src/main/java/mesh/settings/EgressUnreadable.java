package mesh.settings;

/**
 * The stored egress policy cannot be read or makes no sense. No workspace is made until it can: to
 * guess would be to widen access.
 */
public final class EgressUnreadable extends RuntimeException {

  EgressUnreadable(String message, Throwable cause) {
    super(message, cause);
  }

  EgressUnreadable(String message) {
    super(message, null);
  }
}
