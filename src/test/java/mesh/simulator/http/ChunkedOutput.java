package mesh.simulator.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.OutputStream;

/** Writes each piece as one chunk and flushes it. */
final class ChunkedOutput extends OutputStream {

  private static final byte[] LINE_END = {'\r', '\n'};

  private final OutputStream out;

  ChunkedOutput(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    // An empty chunk would end the body.
    if (length > 0) {
      out.write((Integer.toHexString(length) + "\r\n").getBytes(US_ASCII));
      out.write(bytes, offset, length);
      out.write(LINE_END);
      out.flush();
    }
  }

  void finish() throws IOException {
    out.write("0\r\n\r\n".getBytes(US_ASCII));
    out.flush();
  }
}
