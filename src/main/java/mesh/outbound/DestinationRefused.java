package mesh.outbound;

import java.net.UnknownHostException;

/**
 * Mesh does not connect there: nothing was sent. Trying again does not help; another address does.
 * A kind of {@link UnknownHostException} because that is what a resolver may throw.
 */
public final class DestinationRefused extends UnknownHostException {

  DestinationRefused(String sentence) {
    super(sentence);
  }

  /** A sentence for an operator: what is refused, why, and what to do. */
  public String sentence() {
    return String.valueOf(getMessage());
  }
}
