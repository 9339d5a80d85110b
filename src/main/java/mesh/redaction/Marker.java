package mesh.redaction;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Collection;
import java.util.List;

/**
 * Chooses what stands in the place of a secret. If no needle has the marker's first or last byte
 * and none is a part of it, no needle can lie in, across or around markers: the output holds none.
 *
 * <p>It looks at all needles, derived forms too, for what it promises holds for all that is
 * searched for. Derived forms do not change the choice: the encoders make no byte of a marker's
 * ends that was not in the secret, and no form as short as a part of a marker.
 */
final class Marker {

  private static final List<String> CHOICE = List.of(Redactions.MARKER, "***", "•••");

  private Marker() {}

  static String choose(Collection<byte[]> needles) {
    return CHOICE.stream()
        .filter(marker -> needles.stream().noneMatch(needle -> collide(marker, needle)))
        .findFirst()
        .orElse(Redactions.MARKER);
  }

  private static boolean collide(String marker, byte[] needle) {
    var bytes = marker.getBytes(UTF_8);
    for (var value : needle) {
      if (value == bytes[0] || value == bytes[bytes.length - 1]) {
        return true;
      }
    }
    return new String(bytes, ISO_8859_1).contains(new String(needle, ISO_8859_1));
  }
}
