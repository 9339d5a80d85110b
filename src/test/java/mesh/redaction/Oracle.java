package mesh.redaction;

import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.Collection;

/** What redaction means, by trying every needle at every place. */
final class Oracle {

  private static final int TELLING_PREFIX = 8;

  private Oracle() {}

  static byte[] redact(byte[] input, Collection<byte[]> needles, byte[] marker) {
    return write(input, covered(input, needles), 0, input.length, marker);
  }

  /** What a stream shows that was cut off behind the input. */
  static byte[] cut(byte[] input, Collection<byte[]> needles, byte[] marker) {
    var covered = covered(input, needles);
    var held = longestPrefixAtEnd(input, needles);
    if (held >= TELLING_PREFIX) {
      Arrays.fill(covered, input.length - held, input.length, true);
    }
    return write(input, covered, 0, input.length, marker);
  }

  static byte[] window(byte[] input, Collection<byte[]> needles, byte[] marker, int from, int to) {
    return write(input, covered(input, needles), from, to, marker);
  }

  static boolean occurs(byte[] input, Collection<byte[]> needles) {
    for (var is : covered(input, needles)) {
      if (is) {
        return true;
      }
    }
    return false;
  }

  static int longestPrefixAtEnd(byte[] input, Collection<byte[]> needles) {
    var longest = 0;
    for (var needle : needles) {
      for (var n = Math.min(needle.length, input.length); n > longest; n--) {
        if (Arrays.equals(needle, 0, n, input, input.length - n, input.length)) {
          longest = n;
        }
      }
    }
    return longest;
  }

  private static boolean[] covered(byte[] input, Collection<byte[]> needles) {
    var covered = new boolean[input.length];
    for (var needle : needles) {
      for (var i = 0; i + needle.length <= input.length; i++) {
        if (input[i] == needle[0]
            && Arrays.equals(needle, 0, needle.length, input, i, i + needle.length)) {
          Arrays.fill(covered, i, i + needle.length, true);
        }
      }
    }
    return covered;
  }

  private static byte[] write(byte[] input, boolean[] covered, int from, int to, byte[] marker) {
    var out = new ByteArrayOutputStream(to - from + 16);
    for (var i = from; i < to; i++) {
      if (!covered[i]) {
        out.write(input[i]);
      } else if (i == from || !covered[i - 1]) {
        out.write(marker, 0, marker.length);
      }
    }
    return out.toByteArray();
  }
}
