package mesh.history;

import java.time.Duration;

/**
 * How long things may take.
 *
 * @param cancel how long a command may run on after its authority is lost, its end at the vendor
 *     among it
 * @param abandoned how long a command may run on after the server that watched it was killed: what
 *     the vendor itself leaves a command that nobody is connected to
 * @param unkillable how long a write may go on that the vendor could not be told to end
 * @param lag how long a sandbox may live on after the vendor has said that it is gone
 */
public record Promises(Duration cancel, Duration abandoned, Duration unkillable, Duration lag) {

  /** Six seconds to notice, and a moment for the vendor. */
  public static Promises ofAVendorThatEndsCommandsAfter(Duration disconnected) {
    return new Promises(
        Duration.ofSeconds(6), disconnected.plusSeconds(2), Duration.ZERO, Duration.ZERO);
  }

  /** For a vendor that does not always do what it is asked, so that its own limit is what ends. */
  public Promises onAFaultyVendor() {
    return new Promises(cancel.plus(abandoned), abandoned, abandoned, Duration.ofSeconds(1));
  }
}
