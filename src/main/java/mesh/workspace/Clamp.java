package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Keeps the first and the last bytes of a stream, in constant memory whatever its length. Used by
 * one thread.
 */
final class Clamp {

  /** Bytes kept of each end: 32 KiB. */
  static final int KEPT = 32 * 1024;

  /** Grows: most commands print little, and a thousand of them run at once. */
  private byte[] head = new byte[0];

  private byte[] tail = new byte[0];
  private long total;

  void write(ByteBuffer bytes) {
    var input = bytes.duplicate();
    if (total < KEPT) {
      int toHead = (int) Math.min(KEPT - total, input.remaining());
      int filled = (int) total + toHead;
      if (filled > head.length) {
        head = Arrays.copyOf(head, Math.min(KEPT, Math.max(filled, 2 * head.length)));
      }
      input.get(head, (int) total, toHead);
      total += toHead;
    }
    if (!input.hasRemaining()) {
      return;
    }
    if (tail.length == 0) {
      tail = new byte[KEPT];
    }
    long end = total + input.remaining();
    if (input.remaining() > KEPT) {
      input.position(input.limit() - KEPT);
    }
    int at = (int) ((end - input.remaining() - KEPT) % KEPT);
    int first = Math.min(KEPT - at, input.remaining());
    input.get(tail, at, first);
    input.get(tail, 0, input.remaining());
    total = end;
  }

  /** Bytes written so far. */
  long total() {
    return total;
  }

  /** Whether everything written is still here. */
  boolean isWhole() {
    return total <= 2L * KEPT;
  }

  /** Everything written, in order. Only while {@link #isWhole()}. */
  byte[] whole() {
    if (!isWhole()) {
      throw new IllegalStateException("a part was dropped");
    }
    var all = Arrays.copyOf(head, (int) total);
    if (total > KEPT) {
      System.arraycopy(tail, 0, all, KEPT, (int) total - KEPT);
    }
    return all;
  }

  /**
   * As text, malformed bytes as U+FFFD: all of it, or head and tail, cut between characters, with a
   * marker between them.
   *
   * @param where ends the marker's sentence, for example where the whole can be had
   */
  String text(String where) {
    if (isWhole()) {
      return new String(whole(), UTF_8);
    }
    int headEnd = Utf8.lastBoundary(head, head.length);
    var end = lastBytes();
    int tailStart = Utf8.firstBoundary(end);
    long omitted = total - headEnd - (end.length - tailStart);
    return new String(head, 0, headEnd, UTF_8)
        + "\n… "
        + omitted
        + " bytes omitted; "
        + where
        + " …\n"
        + new String(end, tailStart, end.length - tailStart, UTF_8);
  }

  private byte[] lastBytes() {
    int at = (int) ((total - KEPT) % KEPT);
    var end = new byte[KEPT];
    System.arraycopy(tail, at, end, 0, KEPT - at);
    System.arraycopy(tail, 0, end, KEPT - at, at);
    return end;
  }
}
