package mesh.execution;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A backend could not do what was asked. The four kinds are told apart by who can help.
 *
 * <p>Messages are shown to operators and agents: a sentence, with the vendor's own words where they
 * help, and never a credential or a URL with a query.
 */
public abstract sealed class BackendException extends RuntimeException {

  private BackendException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /**
   * Time helps: the vendor is unreachable, overloaded or rate-limiting. Nothing is known to have
   * happened.
   */
  public static final class Unavailable extends BackendException {
    private final Duration retryAfter;

    /**
     * @param retryAfter zero if the vendor named none
     */
    public Unavailable(String message, Duration retryAfter, @Nullable Throwable cause) {
      super(message, cause);
      this.retryAfter = retryAfter;
    }

    public Duration retryAfter() {
      return retryAfter;
    }
  }

  /** The operator helps: a bad credential, an exhausted quota, a refused configuration. */
  public static final class Rejected extends BackendException {
    public Rejected(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** A new workspace helps: this sandbox no longer exists. */
  public static final class SandboxGone extends BackendException {
    public SandboxGone(String message) {
      super(message, null);
    }
  }

  /** A developer helps: the vendor answered something this adapter does not understand. */
  public static final class Unexpected extends BackendException {
    public Unexpected(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
