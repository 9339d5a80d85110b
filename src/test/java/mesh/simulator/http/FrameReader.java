package mesh.simulator.http;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/** Frames as RFC 6455 section 5.2 has them: masked from the client, bare from the server. */
final class FrameReader {

  private static final long MAX_FRAME_BYTES = 64L * 1024 * 1024;

  /** One frame; {@code opcode} 0 continues a message, {@code last} ends it. */
  // Handed over once and never compared.
  @SuppressWarnings("ArrayRecordComponent")
  record Frame(boolean last, int opcode, byte[] payload) {}

  private final DataInputStream in;

  FrameReader(InputStream in) {
    this.in = new DataInputStream(in);
  }

  Frame next() throws IOException {
    var first = in.readUnsignedByte();
    var second = in.readUnsignedByte();
    if ((first & 0x70) != 0 || (second & 0x80) == 0) {
      throw new IOException("a client's frame must be masked and use no extension");
    }
    var length =
        switch (second & 0x7f) {
          case 126 -> in.readUnsignedShort();
          case 127 -> in.readLong();
          default -> second & 0x7fL;
        };
    if (length < 0 || length > MAX_FRAME_BYTES) {
      throw new IOException("a frame is larger than " + MAX_FRAME_BYTES + " bytes");
    }
    var mask = in.readNBytes(4);
    var payload = new byte[(int) length];
    in.readFully(payload);
    for (var at = 0; at < payload.length; at++) {
      payload[at] ^= mask[at & 3];
    }
    return new Frame((first & 0x80) != 0, first & 0x0f, payload);
  }

  static void write(OutputStream out, int opcode, byte[] payload) throws IOException {
    var head = ByteBuffer.allocate(10).put((byte) (0x80 | opcode));
    if (payload.length < 126) {
      head.put((byte) payload.length);
    } else if (payload.length <= 0xffff) {
      head.put((byte) 126).putShort((short) payload.length);
    } else {
      head.put((byte) 127).putLong(payload.length);
    }
    out.write(head.array(), 0, head.position());
    out.write(payload);
  }
}
