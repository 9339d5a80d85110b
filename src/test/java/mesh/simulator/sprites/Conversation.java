package mesh.simulator.sprites;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.regex.Pattern;
import mesh.simulator.http.WebSocket;
import mesh.simulator.namespace.Command;

/** What one client says to a running command: input, its end, and signals. */
final class Conversation {

  private static final int STDIN = 0;
  private static final int STDIN_EOF = 4;
  private static final Pattern SIGNAL = Pattern.compile("(?:SIG)?([A-Z0-9]{2,8})");

  private final Session session;
  private final Command command;
  private final WebSocket socket;

  /** Empty stands for the end of input. */
  private final BlockingQueue<Optional<byte[]>> input = new LinkedBlockingQueue<>();

  Conversation(Session session, WebSocket socket) {
    this.session = session;
    this.command = session.command();
    this.socket = socket;
  }

  /** Listens until the client goes away. */
  void listen(boolean stdin) throws IOException, InterruptedException {
    // A command that does not read must not keep a signal from reaching it.
    var feeder = stdin ? Thread.ofPlatform().daemon().start(this::feed) : Thread.currentThread();
    while (true) {
      switch (socket.receive()) {
        case WebSocket.Binary(var bytes) -> {
          if (stdin && bytes.length > 0) {
            receive(bytes);
          }
        }
        case WebSocket.Text(var text) -> control(text);
        case WebSocket.Closed _ -> {
          if (stdin) {
            feeder.interrupt();
          }
          return;
        }
      }
    }
  }

  private void receive(byte[] bytes) {
    switch (bytes[0]) {
      case STDIN -> {
        var said = Arrays.copyOfRange(bytes, 1, bytes.length);
        session.heard(said);
        input.add(Optional.of(said));
      }
      case STDIN_EOF -> input.add(Optional.empty());
      default -> {
        // The vendor ignores channels it does not know.
      }
    }
  }

  private void control(String text) throws IOException, InterruptedException {
    var json = Json.object(text.getBytes(UTF_8));
    if (json.isPresent() && json.get().path("type").asString("").equals("signal")) {
      var name = SIGNAL.matcher(json.get().path("signal").asString(""));
      if (name.matches()) {
        command.signal(name.group(1));
      }
    }
  }

  private void feed() {
    try (var stdin = command.stdin()) {
      for (var next = input.take(); next.isPresent(); next = input.take()) {
        stdin.write(next.get());
        stdin.flush();
      }
    } catch (IOException e) {
      // The command does not read, or has ended: the vendor drops the rest as well.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
