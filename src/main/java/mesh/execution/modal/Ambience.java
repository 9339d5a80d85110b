package mesh.execution.modal;

import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.UUID;
import java.util.function.Supplier;
import mesh.execution.remote.Patience;

/**
 * Time, randomness and ids.
 *
 * @param beat how often a command that runs for long is asked after
 * @param silence after how long without any answer it counts as lost
 */
record Ambience(
    SecureRandom random,
    Supplier<UUID> ids,
    Clock clock,
    Patience.Pause pause,
    Duration beat,
    Duration silence) {

  /**
   * Twice the beat is how long a command may seem to run that ended unheard; the silence is a
   * little longer than a connection takes to notice that its peer is not there any more.
   */
  static Ambience usual(SecureRandom random, Supplier<UUID> ids, Clock clock) {
    return new Ambience(
        random, ids, clock, Thread::sleep, Duration.ofSeconds(5), Duration.ofSeconds(45));
  }
}
