package mesh.workspace;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How long things may last. All are measured by the database's clock.
 *
 * @param idle how long a sandbox may go without an operation before it is put to sleep or, where
 *     that cannot be, ended; at least a second
 * @param heldFor how long a sandbox sleeps for its conversation's next run
 * @param longestRun how old a workspace may become while its run lives
 * @param lifetimeMargin how much longer than the longest run a sandbox is asked for, of vendors
 *     that end one by themselves: enough for Mesh to have released it first
 * @param orphanGrace how old a sandbox must be that is in no row before it is destroyed
 * @param sweepEvery from one sweep of everything to the next
 * @param sweepLimit how long a sweep may take
 */
@ConfigurationProperties("mesh.workspaces")
record WorkspaceLimits(
    @DefaultValue("1h") Duration idle,
    @DefaultValue("24h") Duration heldFor,
    @DefaultValue("24h") Duration longestRun,
    @DefaultValue("1h") Duration lifetimeMargin,
    @DefaultValue("15m") Duration orphanGrace,
    @DefaultValue("10m") Duration sweepEvery,
    @DefaultValue("1m") Duration sweepLimit) {

  WorkspaceLimits {
    if (idle.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("mesh.workspaces.idle must be a second at least");
    }
    for (var duration :
        new Duration[] {heldFor, longestRun, lifetimeMargin, orphanGrace, sweepEvery, sweepLimit}) {
      if (duration.isNegative()) {
        throw new IllegalArgumentException("mesh.workspaces: a duration must not be negative");
      }
    }
  }

  /** What a vendor is asked for: longer than Mesh ever needs a sandbox at a stretch. */
  Duration lifetime() {
    return longestRun.plus(lifetimeMargin);
  }
}
