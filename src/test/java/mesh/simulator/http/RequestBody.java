package mesh.simulator.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** A request's body, of known length or chunked; asks a hesitant client to go on. */
final class RequestBody extends InputStream {

  private final InputStream in;
  private final OutputStream out;
  private final boolean chunked;
  private boolean expectsContinue;
  private long left;
  private boolean ended;

  RequestBody(Headers headers, InputStream in, OutputStream out) {
    this.in = in;
    this.out = out;
    this.chunked = headers.lists("Transfer-Encoding", "chunked");
    this.expectsContinue = headers.lists("Expect", "100-continue");
    this.left = chunked ? 0 : headers.first("Content-Length").map(Long::parseLong).orElse(0L);
    this.ended = !chunked && left == 0;
  }

  /** Whether the client holds the body back until it is asked for it. */
  boolean awaitsContinue() {
    return expectsContinue;
  }

  @Override
  public int read() throws IOException {
    var one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (ended || length == 0) {
      return ended ? -1 : 0;
    }
    if (expectsContinue) {
      expectsContinue = false;
      out.write("HTTP/1.1 100 Continue\r\n\r\n".getBytes(US_ASCII));
      out.flush();
    }
    if (chunked && left == 0 && !nextChunk()) {
      return -1;
    }
    var count = in.read(bytes, offset, (int) Math.min(length, left));
    if (count < 0) {
      throw new EOFException("the connection ended inside a body");
    }
    left -= count;
    if (chunked && left == 0) {
      line();
    }
    ended = !chunked && left == 0;
    return count;
  }

  private boolean nextChunk() throws IOException {
    var size = line();
    var semicolon = size.indexOf(';');
    left = Long.parseLong((semicolon < 0 ? size : size.substring(0, semicolon)).strip(), 16);
    if (left > 0) {
      return true;
    }
    for (var trailer = line(); !trailer.isEmpty(); trailer = line()) {}
    ended = true;
    return false;
  }

  private String line() throws IOException {
    var bytes = new byte[256];
    var length = 0;
    for (var next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0 || length == bytes.length) {
        throw new EOFException("a chunk's line did not end");
      }
      bytes[length++] = (byte) next;
    }
    return new String(bytes, 0, length, ISO_8859_1).strip();
  }
}
