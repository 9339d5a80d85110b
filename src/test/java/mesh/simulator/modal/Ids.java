package mesh.simulator.modal;

import java.security.SecureRandom;
import java.time.Instant;

/** Identifiers shaped as the vendor's: its clients tell from the shape what they name. */
final class Ids {

  private static final String ALPHANUMERIC =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final String CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final SecureRandom RANDOM = new SecureRandom();

  private Ids() {}

  /** {@code ap-} and 22 characters, for example. */
  static String next(String prefix) {
    return prefix + "-" + random(ALPHANUMERIC, 22);
  }

  /** As {@link #next}, but with a ULID: what belongs to the second generation of sandboxes. */
  static String ulid(String prefix, Instant at) {
    var time = new StringBuilder();
    for (var left = at.toEpochMilli(); time.length() < 10; left >>= 5) {
      time.append(CROCKFORD.charAt((int) (left & 31)));
    }
    return prefix + "-" + time.reverse() + random(CROCKFORD, 16);
  }

  private static String random(String alphabet, int length) {
    return RANDOM
        .ints(length, 0, alphabet.length())
        .collect(
            StringBuilder::new,
            (text, index) -> text.append(alphabet.charAt(index)),
            StringBuilder::append)
        .toString();
  }
}
