package mesh.inference;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Ends a body that is larger, or has a longer line, than any reply has: libraries read whole lines.
 */
final class BoundedBody extends FilterInputStream {

  /** The body is no reply. */
  static final class TooLarge extends IOException {
    TooLarge() {
      super("it sent more than any reply has");
    }
  }

  private final int longestLine;
  private long left;
  private int line;

  /**
   * @param most bytes in all
   * @param longestLine bytes
   */
  BoundedBody(InputStream body, long most, int longestLine) {
    super(body);
    this.left = most;
    this.longestLine = longestLine;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    var count = super.read(bytes, offset, length);
    for (int i = offset; i < offset + count; i++) {
      line = bytes[i] == '\n' || bytes[i] == '\r' ? 0 : line + 1;
      if (line > longestLine) {
        throw new TooLarge();
      }
    }
    left -= Math.max(count, 0);
    if (left < 0) {
      throw new TooLarge();
    }
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    return super.skip(Math.min(count, 0));
  }
}
