package mesh.redaction;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Passes over bytes where no needle can begin, several at a time: the shift table of Wu and Manber,
 * "A fast algorithm for multi-pattern searching" (TR 94-17, University of Arizona, 1994). It looks
 * at the last bytes of a window as long as the shortest needle, and moves on to where these bytes
 * could be the same bytes of a needle's beginning. Beginnings of needles at the end of what is to
 * be read are never passed over.
 *
 * <p>With a needle of less than 4 bytes it looks for the first two bytes of a needle instead.
 */
final class Skip {

  /** Longer windows seldom move on faster, but fill the table. */
  private static final int LONGEST_WINDOW = 16;

  private static final int SHORTEST_WINDOW = 4;

  /** From this window on, blocks of 3 bytes: much rarer in text than blocks of 2. */
  private static final int WINDOW_OF_THREES = 8;

  /** A try that passes over fewer bytes took longer than to step over them. */
  private static final int WORTH_A_TRY = 8;

  private static final int MOST_PATIENCE = 256;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private final boolean[] starts = new boolean[256];

  /** By the first two bytes of a needle, hashed; all, if a needle has but one. */
  private final boolean[] pairs = new boolean[1 << 12];

  private final int window;
  private final int unused;
  private final int hashShift;
  private final byte[] hops;

  Skip(byte[][] needles) {
    var shortest = LONGEST_WINDOW;
    for (var needle : needles) {
      starts[needle[0] & 0xff] = true;
      shortest = Math.min(shortest, needle.length);
    }
    window = shortest;
    for (var needle : needles) {
      if (needle.length < 2) {
        Arrays.fill(pairs, true);
      } else {
        pairs[pair(needle, 0)] = true;
      }
    }
    var block = window < WINDOW_OF_THREES ? 2 : 3;
    unused = Integer.SIZE - Byte.SIZE * block;
    if (window < SHORTEST_WINDOW) {
      hashShift = 0;
      hops = new byte[0];
      return;
    }
    var blocks = (long) needles.length * window;
    var bits = Math.clamp(Long.SIZE - Long.numberOfLeadingZeros(blocks) + 3L, 12, 16);
    hashShift = Integer.SIZE - bits;
    hops = new byte[1 << bits];
    Arrays.fill(hops, (byte) (window - block + 1));
    for (var needle : needles) {
      for (var end = block; end <= window; end++) {
        var word = 0;
        for (var i = end - block; i < end; i++) {
          word = (word >>> Byte.SIZE) | (needle[i] << (Integer.SIZE - Byte.SIZE));
        }
        var hash = hash(word);
        hops[hash] = (byte) Math.min(hops[hash], window - end);
      }
    }
  }

  /** Takes a block as the last bytes of a word; the bytes before it do not count. */
  private int hash(int word) {
    return ((word >>> unused) * 0x9E3779B1) >>> hashShift;
  }

  /**
   * Up to which depth of the automaton it pays to look: the bytes that brought it there must leave
   * room for a whole word in the window.
   */
  int shallow() {
    return Math.clamp(window - (long) SHORTEST_WINDOW, 0, 3);
  }

  /**
   * The first place from {@code at} on where a needle may begin, or {@code at} if one may have
   * begun in the {@code depth} bytes before.
   */
  int next(byte[] bytes, int at, int depth, int to) {
    if (hops.length == 0) {
      return nextPair(bytes, at, to);
    }
    var end = at - depth + window;
    while (end <= to) {
      var hop = hops[hash((int) WORDS.get(bytes, end - Integer.BYTES))];
      if (hop != 0) {
        end += hop;
        continue;
      }
      var begin = end - window;
      if (begin < at) {
        return at;
      }
      if (starts[bytes[begin] & 0xff] && pairs[pair(bytes, begin)]) {
        return begin;
      }
      end = nextByte(bytes, begin + 1, to) + window;
    }
    return end - window < at ? at : nextPair(bytes, end - window, to);
  }

  /** The next byte that begins a needle. */
  private int nextByte(byte[] bytes, int at, int to) {
    var i = at;
    while (i < to && !starts[bytes[i] & 0xff]) {
      i++;
    }
    return i;
  }

  /** The next two bytes that begin a needle, or a last byte that does. */
  private int nextPair(byte[] bytes, int at, int to) {
    var i = nextByte(bytes, at, to);
    while (i < to - 1 && !pairs[pair(bytes, i)]) {
      i = nextByte(bytes, i + 1, to);
    }
    return i;
  }

  private static int pair(byte[] bytes, int at) {
    return ((bytes[at] & 0xff) << 4) ^ (bytes[at + 1] & 0xff);
  }

  /**
   * How many bytes to step over before the next try, so that text made to defeat the skipping costs
   * little more than stepping.
   */
  int patience(int before, int passed) {
    return passed >= WORTH_A_TRY ? 1 : Math.min(before * 2, MOST_PATIENCE);
  }

  long size() {
    return (long) hops.length + starts.length + pairs.length;
  }
}
