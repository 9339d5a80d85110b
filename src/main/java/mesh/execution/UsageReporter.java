package mesh.execution;

import java.time.Duration;
import java.util.Optional;

/**
 * A backend that counts by itself how long a sandbox ran. Mesh counts too, and shows both; without
 * this there is only Mesh's own count, which begins with the create request and so is never less.
 */
public interface UsageReporter {

  /**
   * How long the sandbox ran so far, or had run when it ended, without the time it slept. Empty if
   * the backend cannot say of this one.
   */
  Optional<Duration> used(ExternalRef ref) throws InterruptedException;
}
