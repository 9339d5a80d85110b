package mesh.simulator.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The server's side of an open WebSocket (RFC 6455), without extensions. Any thread may send; one
 * thread receives.
 */
public final class WebSocket {

  /** The close code that no frame carries: the connection just ended. */
  public static final int ABNORMAL = 1006;

  private static final String ACCEPT_KEY = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

  /** What a client sent; pings are answered and pongs dropped unseen. */
  public sealed interface Message {}

  public record Text(String text) implements Message {}

  // Handed over once and never compared.
  @SuppressWarnings("ArrayRecordComponent")
  public record Binary(byte[] bytes) implements Message {}

  /** The end: the close code sent, 1005 if none was, {@link #ABNORMAL} without a close frame. */
  public record Closed(int code) implements Message {}

  private final Socket socket;
  private final FrameReader frames;
  private final OutputStream out;
  private final ReentrantLock sending = new ReentrantLock();
  private boolean closeSent;
  private volatile long lastHeard = System.nanoTime();

  WebSocket(Socket socket, InputStream in, OutputStream out) {
    this.socket = socket;
    this.frames = new FrameReader(in);
    this.out = out;
  }

  static String acceptOf(String key) {
    try {
      var digest = MessageDigest.getInstance("SHA-1").digest((key + ACCEPT_KEY).getBytes(US_ASCII));
      return Base64.getEncoder().encodeToString(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits for the next message. After {@link Closed} there is none. */
  public Message receive() {
    try {
      return nextMessage();
    } catch (IOException e) {
      return new Closed(ABNORMAL);
    }
  }

  private Message nextMessage() throws IOException {
    var message = new ByteArrayOutputStream();
    var kind = 0;
    while (true) {
      var frame = frames.next();
      lastHeard = System.nanoTime();
      switch (frame.opcode()) {
        case 8 -> {
          return closedBy(frame.payload());
        }
        case 9 -> send(10, frame.payload());
        case 10 -> {}
        default -> {
          kind = frame.opcode() == 0 ? kind : frame.opcode();
          message.write(frame.payload());
          if (message.size() > MAX_MESSAGE_BYTES) {
            throw new IOException("a message is larger than " + MAX_MESSAGE_BYTES + " bytes");
          }
          if (frame.last()) {
            return kind == 1
                ? new Text(message.toString(UTF_8))
                : new Binary(message.toByteArray());
          }
        }
      }
    }
  }

  private Closed closedBy(byte[] payload) throws IOException {
    var code = payload.length < 2 ? 1005 : ByteBuffer.wrap(payload).getShort() & 0xffff;
    close(code == 1005 ? 1000 : code);
    return new Closed(code);
  }

  /** When a frame last came, also a ping, as {@link System#nanoTime} has it. */
  public long lastHeard() {
    return lastHeard;
  }

  public boolean isClosed() {
    return socket.isClosed();
  }

  public void text(String text) throws IOException {
    send(1, text.getBytes(UTF_8));
  }

  public void binary(byte[] bytes) throws IOException {
    send(2, bytes);
  }

  /** Sends a binary message: one byte that names the channel, then {@code length} of payload. */
  public void binary(int channel, byte[] payload, int length) throws IOException {
    var message = new byte[length + 1];
    message[0] = (byte) channel;
    System.arraycopy(payload, 0, message, 1, length);
    send(2, message);
  }

  public void ping() throws IOException {
    send(9, new byte[0]);
  }

  /** Sends a close frame, once; the client is expected to answer it and end the connection. */
  public void close(int code) throws IOException {
    send(8, new byte[] {(byte) (code >> 8), (byte) code});
  }

  /** Sends a close frame, if anyone is there to hear it, and ends the connection. */
  public void end(int code) {
    try {
      close(code);
    } catch (IOException e) {
      // The client went first.
    }
    drop();
  }

  /** Ends the connection without a close frame, after what was sent before. */
  public void drop() {
    try {
      socket.close();
    } catch (IOException e) {
      // It has ended, which is what was asked for.
    }
  }

  private void send(int opcode, byte[] payload) throws IOException {
    sending.lock();
    try {
      if (closeSent) {
        return;
      }
      closeSent = opcode == 8;
      FrameReader.write(out, opcode, payload);
      out.flush();
    } finally {
      sending.unlock();
    }
  }
}
