package mesh.simulator.sprites;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** The last 65536 bytes of a command's output, for whoever joins late. Not thread-safe. */
final class History {

  static final int MAX_BYTES = 65536;

  /** A piece of output of one channel. */
  // Handed over once and never compared.
  @SuppressWarnings("ArrayRecordComponent")
  record Chunk(int channel, byte[] bytes) {}

  private final Deque<Chunk> chunks = new ArrayDeque<>();
  private int bytes;

  void add(int channel, byte[] buffer, int length) {
    chunks.add(new Chunk(channel, Arrays.copyOf(buffer, length)));
    bytes += length;
    while (bytes > MAX_BYTES) {
      var oldest = chunks.removeFirst();
      var surplus = bytes - MAX_BYTES;
      if (surplus < oldest.bytes().length) {
        var kept = Arrays.copyOfRange(oldest.bytes(), surplus, oldest.bytes().length);
        chunks.addFirst(new Chunk(oldest.channel(), kept));
      }
      bytes -= Math.min(surplus, oldest.bytes().length);
    }
  }

  int bytes() {
    return bytes;
  }

  List<Chunk> chunks() {
    return new ArrayList<>(chunks);
  }
}
