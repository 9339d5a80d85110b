package mesh.simulator.sprites;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import mesh.simulator.http.WebSocket;
import mesh.simulator.namespace.Command;

/**
 * A running command and the clients that watch it.
 *
 * <p>A client that does not read holds the command up, as its socket fills. The exit is told when
 * both output streams have ended, so a child in the background that holds one delays it.
 */
final class Session {

  private static final int STDOUT = 1;
  private static final int STDERR = 2;

  private final String id;
  private final ExecRequest request;
  private final Command command;
  private final Instant startedAt;
  private final Sessions sessions;
  private final History history = new History();
  private final List<Client> clients = new CopyOnWriteArrayList<>();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch finished = new CountDownLatch(1);
  private volatile int exitCode;

  Session(ExecRequest request, Command command, Instant startedAt, Sessions sessions) {
    this.id = sessions.idFor(command.pid());
    this.request = request;
    this.command = command;
    this.startedAt = startedAt;
    this.sessions = sessions;
    sessions.add(this);
  }

  String id() {
    return id;
  }

  Command command() {
    return command;
  }

  void heard(byte[] input) {
    sessions.heard(this, input);
  }

  /** Lets output flow, to the clients there are by now; the first time. */
  void begin() {
    if (begun.getAndSet(true)) {
      return;
    }
    var stdout = pump(STDOUT, command.stdout());
    var stderr = pump(STDERR, command.stderr());
    Thread.startVirtualThread(() -> {
      try {
        stdout.join();
        stderr.join();
        end(command.exitCode());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    });
  }

  private Thread pump(int channel, InputStream from) {
    return Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try (from) {
            var buffer = new byte[32 * 1024];
            for (var count = from.read(buffer); count >= 0; count = from.read(buffer)) {
              deliver(channel, buffer, count);
            }
          } catch (IOException e) {
            System.err.println("A command's output could not be read: " + e);
          }
        });
  }

  private synchronized void deliver(int channel, byte[] buffer, int length) {
    history.add(channel, buffer, length);
    clients.forEach(client -> client.output(channel, buffer, length));
  }

  private synchronized void end(int code) {
    exitCode = code;
    sessions.end(this, code);
    finished.countDown();
    clients.forEach(client -> client.exit(code));
  }

  /** From now on the client is told everything, and first, if asked for, what it missed. */
  synchronized void join(Client client, boolean replay) {
    if (replay) {
      history.chunks().forEach(it -> client.output(it.channel(), it.bytes(), it.bytes().length));
    }
    clients.add(client);
    if (finished.getCount() == 0) {
      client.exit(exitCode);
    }
  }

  /** Nobody may be left to watch: then the command has a little while to end by itself. */
  void leave(Client client) {
    clients.remove(client);
    abandon();
  }

  /** Kills the command after its time of grace, unless it ended or a client joined. */
  void abandon() {
    if (clients.isEmpty() && finished.getCount() > 0 && request.grace().isPositive()) {
      Pause.then(
          request.grace(),
          () -> {
            if (clients.isEmpty() && finished.getCount() > 0) {
              command.signal("KILL");
            }
          });
    }
  }

  void drop() {
    clients.forEach(Client::drop);
    clients.clear();
  }

  /** Whether the command ended and its output was read, in time. */
  boolean finished(Duration time) throws InterruptedException {
    return finished.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  synchronized History history() {
    return history;
  }

  /** Everything that was kept, on one channel, then the exit. */
  synchronized void replay(Client client) {
    history.chunks().forEach(it -> client.output(STDOUT, it.bytes(), it.bytes().length));
    clients.add(client);
    client.exit(exitCode);
  }

  /** Says who it is: the frame that starts every conversation. */
  void introduce(WebSocket socket) throws IOException {
    var json = new LinkedHashMap<String, Object>();
    json.put("type", "session_info");
    json.put("session_id", id);
    json.put("command", String.join(" ", request.argv()));
    json.put("created", startedAt.getEpochSecond());
    json.put("cols", 0);
    json.put("rows", 0);
    json.put("is_owner", true);
    json.put("tty", false);
    socket.text(Json.write(json));
  }

  Map<String, Object> json() {
    var json = new LinkedHashMap<String, Object>();
    json.put("id", id);
    json.put("command", String.join(" ", request.argv()));
    json.put("workdir", request.directory());
    json.put("created", startedAt.toString());
    json.put("tty", false);
    json.put("bytes_per_second", 0);
    json.put("is_active", false);
    json.put("last_activity", startedAt.toString());
    return json;
  }
}
