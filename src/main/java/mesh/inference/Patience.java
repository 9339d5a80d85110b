package mesh.inference;

import java.time.Duration;

/**
 * How long a service is waited for, and how often it is asked.
 *
 * @param connect until there is a connection
 * @param silence between two signs of life in a stream; services send some while a model thinks
 * @param whole for one whole reply
 * @param attempts requests for one reply, the first included
 * @param total after so long no further request is begun
 * @param firstPause before the second request; each pause is up to twice as long as the one before
 * @param longestPause whatever the service asks for
 */
record Patience(
    Duration connect,
    Duration silence,
    Duration whole,
    int attempts,
    Duration total,
    Duration firstPause,
    Duration longestPause) {

  /** Rides out a restart or a minute's limit, and gives up before people do. */
  static final Patience USUAL =
      new Patience(
          Duration.ofSeconds(15),
          Duration.ofSeconds(120),
          Duration.ofMinutes(20),
          8,
          Duration.ofMinutes(10),
          Duration.ofSeconds(1),
          Duration.ofSeconds(60));

  /** For somebody who waits for an answer on a page. */
  static final Patience TRIAL =
      new Patience(
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          Duration.ofSeconds(45),
          1,
          Duration.ofSeconds(45),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1));
}
