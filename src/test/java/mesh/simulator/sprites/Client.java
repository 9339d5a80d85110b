package mesh.simulator.sprites;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import mesh.simulator.http.WebSocket;

/** One watching client: frames of output and exit, spoilt by a fault if one struck. */
final class Client {

  private static final int EXIT = 3;

  private final WebSocket socket;
  private final Optional<Fault> fault;
  private final Duration linger;
  private long sent;

  /**
   * @param linger how long the socket stays open after the exit was told
   */
  Client(WebSocket socket, Optional<Fault> fault, Duration linger) {
    this.socket = socket;
    this.fault = fault;
    this.linger = linger;
  }

  /** A client that went away is no reason to stop the command. */
  void output(int channel, byte[] buffer, int length) {
    try {
      if (fault.orElse(null) instanceof Fault.CutAfter(var bytes) && sent + length >= bytes) {
        socket.binary(channel, buffer, (int) Math.max(0, bytes - sent));
        sent = bytes;
        socket.drop();
        return;
      }
      socket.binary(channel, buffer, length);
      sent += length;
    } catch (IOException e) {
      socket.drop();
    }
  }

  void exit(int code) {
    try {
      switch (fault.orElse(null)) {
        case Fault.NoExit(var withCloseFrame) -> {
          if (withCloseFrame) {
            socket.end(1000);
          }
          socket.drop();
          return;
        }
        case Fault.TextExitOnly _ -> tell(code);
        case Fault.ExitWithoutCode _ -> {
          tell(code);
          socket.binary(new byte[] {EXIT});
        }
        case null, default -> {
          tell(code);
          socket.binary(new byte[] {EXIT, (byte) code});
        }
      }
      Pause.then(linger, () -> socket.end(1000));
    } catch (IOException e) {
      socket.drop();
    }
  }

  private void tell(int code) throws IOException {
    socket.text(Json.write(Map.of("type", "exit", "exit_code", code)));
  }

  void drop() {
    socket.drop();
  }
}
