package mesh.redaction;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Needles and an input made of pieces of them, all of it following from the seed. The alphabets are
 * tiny, so that overlaps are frequent and a failing case is short enough to be read.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Sample(
    long seed,
    List<byte[]> needles,
    byte[] input,
    Automaton automaton,
    SecretSet secrets,
    SplittableRandom random) {

  static Sample of(long seed, String alphabet) {
    var random = new SplittableRandom(seed);
    var letters = alphabet.getBytes(ISO_8859_1);
    var used = 1 + random.nextInt(letters.length);
    // Half of the sets have needles that are long enough for the skipping.
    var shortest = random.nextBoolean() ? 1 : 4 + random.nextInt(8);
    var needles = new ArrayList<byte[]>();
    for (var n = 1 + random.nextInt(5); n > 0; n--) {
      needles.add(letters(random, shortest + random.nextInt(7), letters, used));
    }
    var input = input(random, needles, letters, Math.min(letters.length, used + 1));
    var automaton = automaton(needles, (int) (seed % 3));
    return new Sample(seed, needles, input, automaton, SecretSet.of(needles, automaton), random);
  }

  /** One of the three forms of automaton. */
  static Automaton automaton(Collection<byte[]> needles, int form) {
    return switch (form) {
      case 0 -> Automaton.of(needles);
      case 1 -> Automaton.of(needles, 0, Automaton.TABLE_BYTES);
      default -> Automaton.of(needles, 0, 0);
    };
  }

  private static byte[] input(
      SplittableRandom random, List<byte[]> needles, byte[] letters, int used) {
    var input = new ByteArrayOutputStream(96);
    for (var pieces = random.nextInt(9); pieces > 0; pieces--) {
      if (random.nextBoolean()) {
        input.writeBytes(letters(random, random.nextInt(12), letters, used));
      } else {
        var needle = needles.get(random.nextInt(needles.size()));
        var from = random.nextInt(3) == 0 ? random.nextInt(needle.length) : 0;
        var to =
            random.nextInt(3) == 0 ? from + random.nextInt(needle.length - from) : needle.length;
        input.write(needle, from, to - from);
      }
    }
    return input.toByteArray();
  }

  private static byte[] letters(SplittableRandom random, int length, byte[] letters, int used) {
    var bytes = new byte[length];
    for (var i = 0; i < length; i++) {
      bytes[i] = letters[random.nextInt(used)];
    }
    return bytes;
  }

  byte[] marker() {
    return secrets.marker().getBytes(UTF_8);
  }

  /** The marker keeps the promise that no needle is in the output. */
  boolean markerHolds() {
    return !secrets.marker().equals(Redactions.MARKER)
        || needles.stream()
            .noneMatch(needle -> {
              var text = new String(needle, ISO_8859_1);
              return text.contains("[") || text.contains("]") || Redactions.MARKER.contains(text);
            });
  }

  byte[] expected() {
    return Oracle.redact(input, needles, marker());
  }

  /** Redacts in chunks of 1 to {@code most} bytes. */
  Streamed stream(byte[] bytes, int most) {
    var out = new ByteArrayOutputStream(bytes.length + 32);
    var stream = secrets.open(collecting(out));
    var buffer = random.nextInt(8) == 0 ? direct(bytes) : ByteBuffer.wrap(bytes);
    var heldMost = 0;
    for (var i = 0; i < bytes.length; ) {
      var length = Math.min(bytes.length - i, 1 + random.nextInt(most));
      stream.write(buffer.limit(i + length).position(i));
      heldMost = Math.max(heldMost, stream.held());
      i += length;
    }
    return new Streamed(stream, out, heldMost);
  }

  static Redactions.Bytes collecting(ByteArrayOutputStream out) {
    return bytes -> {
      while (bytes.hasRemaining()) {
        out.write(bytes.get());
      }
    };
  }

  static ByteBuffer direct(byte[] bytes) {
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
  }

  @Override
  public String toString() {
    return "seed %d, %s, needles %s, input \"%s\""
        .formatted(
            seed,
            automaton.getClass().getSimpleName(),
            needles.stream().map(needle -> new String(needle, ISO_8859_1)).toList(),
            new String(input, ISO_8859_1));
  }

  record Streamed(RedactingStream stream, ByteArrayOutputStream out, int heldMost) {

    byte[] ended() {
      stream.end();
      return out.toByteArray();
    }

    byte[] cut() {
      stream.cut();
      return out.toByteArray();
    }
  }
}
