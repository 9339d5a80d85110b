package mesh.execution.kubernetes;

import java.time.Duration;
import mesh.execution.remote.Patience;

/**
 * How long the cluster is waited for.
 *
 * @param poll waits between two looks
 * @param start until a pod runs: its node may have to load the image first
 * @param room until a node with room for it is found: an autoscaler may be making one
 * @param image while its image cannot be had: a registry may have hiccups
 * @param answer until a command began that the cluster was asked to begin
 * @param end until a deleted pod is gone
 * @param death until a pod tells why its container ended
 * @param snapshot until a snapshot can be used
 * @param enforcement until a policy that was made holds
 */
record Waits(
    Patience.Pause poll,
    Duration start,
    Duration room,
    Duration image,
    Duration answer,
    Duration end,
    Duration death,
    Duration snapshot,
    Duration enforcement) {

  static Waits usual(Patience.Pause poll) {
    return new Waits(
        poll,
        Duration.ofMinutes(5),
        Duration.ofMinutes(2),
        Duration.ofSeconds(20),
        Duration.ofSeconds(20),
        Duration.ofSeconds(40),
        Duration.ofSeconds(10),
        Duration.ofMinutes(10),
        Duration.ofSeconds(30));
  }

  /** Looks again and again. */
  Look look(Duration longest) {
    return new Look(poll, System.nanoTime(), longest);
  }

  /** A series of looks with a limit, at intervals that grow with the time that is gone. */
  record Look(Patience.Pause poll, long start, Duration longest) {

    private static final Duration SHORTEST = Duration.ofMillis(50);
    private static final Duration LONGEST = Duration.ofSeconds(1);

    Duration gone() {
      return Duration.ofNanos(System.nanoTime() - start);
    }

    /** Waits for the next look; false if there is to be none. */
    boolean again() throws InterruptedException {
      var gone = gone();
      if (gone.compareTo(longest) > 0) {
        return false;
      }
      var tenth = gone.dividedBy(10);
      var least = tenth.compareTo(SHORTEST) < 0 ? SHORTEST : tenth;
      poll.of(least.compareTo(LONGEST) > 0 ? LONGEST : least);
      return true;
    }
  }
}
