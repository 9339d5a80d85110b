package mesh.redaction;

import java.nio.ByteBuffer;

/**
 * Passes pieces of arrays on, large ones as they are. Small ones are gathered, for text full of
 * markers would otherwise be passed on in a call for every few bytes.
 */
final class Outlet {

  private static final int SMALL = 64;

  private final Redactions.Bytes out;
  private final byte[] gathered = new byte[8 * SMALL];
  private int filled;

  Outlet(Redactions.Bytes out) {
    this.out = out;
  }

  void write(byte[] bytes, int from, int to) {
    var length = to - from;
    if (length > SMALL) {
      flush();
      out.accept(ByteBuffer.wrap(bytes, from, length));
      return;
    }
    if (filled + length > gathered.length) {
      flush();
    }
    System.arraycopy(bytes, from, gathered, filled, length);
    filled += length;
  }

  void flush() {
    if (filled > 0) {
      var length = filled;
      filled = 0;
      out.accept(ByteBuffer.wrap(gathered, 0, length));
    }
  }
}
