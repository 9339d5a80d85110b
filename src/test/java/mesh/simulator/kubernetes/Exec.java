package mesh.simulator.kubernetes;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import mesh.simulator.http.WebSocket;
import mesh.simulator.namespace.Command;

/**
 * A running command and the client that started it.
 *
 * <p>A client that does not read holds the command up, as its socket fills. The status is told when
 * both output streams have ended, so a child in the background that holds one delays it. A client
 * that goes away ends the command's input, and not the command.
 */
final class Exec {

  private static final int QUEUED_INPUTS = 64;

  private final List<String> argv;
  private final Command command;
  private final Channels channels;

  /** Empty stands for the end of input. */
  private final BlockingQueue<Optional<byte[]>> input = new LinkedBlockingQueue<>(QUEUED_INPUTS);

  Exec(List<String> argv, Command command, Channels channels) {
    this.argv = argv;
    this.command = command;
    this.channels = channels;
  }

  /** Lets output flow to the client, as far as it asked for it. */
  void begin(boolean stdout, boolean stderr) {
    var pumps =
        List.of(
            pump(Channels.STDOUT, command.stdout(), stdout),
            pump(Channels.STDERR, command.stderr(), stderr));
    Thread.startVirtualThread(() -> {
      try {
        for (var pump : pumps) {
          pump.join();
        }
        channels.end(ExecStatus.exited(command.exitCode(), argv));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
  }

  private Thread pump(int channel, InputStream from, boolean wanted) {
    return Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try (from) {
            var buffer = new byte[32 * 1024];
            for (var count = from.read(buffer); count >= 0; count = from.read(buffer)) {
              if (wanted) {
                channels.output(channel, buffer, count);
              }
            }
          } catch (IOException e) {
            System.err.println("A command's output could not be read: " + e);
          }
        });
  }

  /** Takes the client's input until it goes away. */
  void listen(WebSocket socket, boolean stdin, boolean canCloseInput) throws InterruptedException {
    if (stdin) {
      Thread.ofPlatform().daemon().start(this::feed);
    }
    while (true) {
      switch (socket.receive()) {
        case WebSocket.Binary(var bytes) when stdin && bytes.length > 1 && bytes[0] == 0 ->
            input.put(Optional.of(Arrays.copyOfRange(bytes, 1, bytes.length)));
        case WebSocket.Binary(var bytes)
            when stdin
                && canCloseInput
                && bytes.length > 1
                && (bytes[0] & 0xff) == Channels.CLOSE
                && bytes[1] == 0 ->
            input.put(Optional.empty());
        case WebSocket.Closed _ -> {
          channels.leave();
          if (stdin) {
            input.put(Optional.empty());
          }
          return;
        }
        default -> {
          // Sizes of terminals, and channels the API does not know, are of no interest.
        }
      }
    }
  }

  private void feed() {
    var heard = true;
    try (var stdin = command.stdin()) {
      for (var next = input.take(); next.isPresent(); next = input.take()) {
        stdin.write(next.get());
        stdin.flush();
      }
      heard = false;
    } catch (IOException e) {
      // The command does not read, or has ended: the rest is dropped below.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    try {
      while (heard) {
        heard = input.take().isPresent();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
