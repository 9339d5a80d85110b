package mesh.simulator.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import mesh.simulator.http.WebSocket;
import tools.jackson.databind.node.ObjectNode;

/** What is sent about one command, spoilt by a fault if one struck. Any thread may send. */
final class Channels {

  static final int STDIN = 0;
  static final int STDOUT = 1;
  static final int STDERR = 2;
  static final int STATUS = 3;
  static final int CLOSE = 255;

  /** Not every client answers the closing of a socket. */
  private static final Duration UNTIL_DROPPED = Duration.ofSeconds(10);

  private final WebSocket socket;
  private final Optional<Fault> fault;
  private byte[] tail = new byte[0];
  private long sent;
  private volatile boolean gone;
  private volatile long lastSent = System.nanoTime();

  Channels(WebSocket socket, Optional<Fault> fault) {
    this.socket = socket;
    this.fault = fault;
  }

  long lastSent() {
    return lastSent;
  }

  /** Nobody listens any more: what is sent from now on is thrown away. */
  void leave() {
    gone = true;
  }

  /** A client that went away is no reason to stop the command. */
  void output(int channel, byte[] buffer, int length) {
    if (gone) {
      return;
    }
    try {
      switch (fault.orElse(null)) {
        case Fault.HalfOpen _ -> {}
        case Fault.CutAfter(var bytes) when sent(length) >= bytes -> {
          socket.binary(channel, buffer, (int) Math.max(0, bytes - (sent - length)));
          drop();
        }
        case Fault.LostTail(var bytes) when channel == STDOUT ->
            holdBack(bytes, Arrays.copyOf(buffer, length));
        case null, default -> {
          socket.binary(channel, buffer, length);
          lastSent = System.nanoTime();
        }
      }
    } catch (IOException e) {
      leave();
    }
  }

  private synchronized long sent(int length) {
    sent += length;
    return sent;
  }

  private void holdBack(int bytes, byte[] more) throws IOException {
    var all = Arrays.copyOf(tail, tail.length + more.length);
    System.arraycopy(more, 0, all, tail.length, more.length);
    var surplus = Math.max(0, all.length - bytes);
    if (surplus > 0) {
      socket.binary(STDOUT, all, surplus);
    }
    tail = Arrays.copyOfRange(all, surplus, all.length);
  }

  /** The last word; then the connection ends. */
  void end(ObjectNode status) throws InterruptedException {
    try {
      switch (fault.orElse(null)) {
        case Fault.HalfOpen _ -> {
          return;
        }
        case Fault.NoStatus(var withCloseFrame) -> {
          if (withCloseFrame) {
            socket.end(1000);
          }
          socket.drop();
          return;
        }
        case Fault.LateStatus(var delay) -> Pause.of(delay);
        case null, default -> {}
      }
      var bytes = Json.write(status).getBytes(UTF_8);
      socket.binary(STATUS, bytes, bytes.length);
      socket.close(1000);
      Pause.then(UNTIL_DROPPED, socket::drop);
    } catch (IOException e) {
      drop();
    }
  }

  void drop() {
    leave();
    socket.drop();
  }
}
