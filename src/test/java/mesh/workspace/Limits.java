package mesh.workspace;

import java.time.Duration;

/** Limits as tests need them. */
final class Limits {

  private Limits() {}

  /** Those of a server that is told nothing. */
  static WorkspaceLimits usual() {
    return new WorkspaceLimits(
        Duration.ofHours(1),
        Duration.ofHours(24),
        Duration.ofHours(24),
        Duration.ofHours(1),
        Duration.ofMinutes(15),
        Duration.ofMinutes(10),
        Duration.ofMinutes(1));
  }
}
