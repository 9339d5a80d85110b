package mesh.simulator.sprites;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import mesh.simulator.http.Exchange;
import mesh.simulator.http.Response;
import mesh.simulator.http.WebSocket;
import mesh.simulator.namespace.Command;

/** Starting, joining, listing and killing commands. */
final class ExecCalls {

  private static final Map<String, String> UPGRADE =
      Map.of("X-Sprite-Capabilities", "signal", "Sprite-Version", Sessions.VERSION);
  private static final Duration KEEPALIVE = Duration.ofSeconds(10);

  private final Settings settings;

  ExecCalls(Settings settings) {
    this.settings = settings;
  }

  void exec(Exchange exchange, Sprite sprite, Optional<Fault> fault)
      throws IOException, InterruptedException {
    var request =
        ExecRequest.of(exchange.request().query(), settings.graceAfterDisconnect()).orElse(null);
    if (request == null) {
      exchange.respond(Json.error(400, "cmd is required"));
      return;
    }
    if (request.tty()) {
      exchange.respond(Json.error(400, "this simulator has no terminals"));
      return;
    }
    var session = start(sprite, request);
    try {
      converse(exchange, session, request, fault);
    } catch (IOException gone) {
      // Also before anybody had joined: then the command has its time of grace, as after.
      session.begin();
      session.abandon();
      throw gone;
    }
  }

  private void converse(
      Exchange exchange, Session session, ExecRequest request, Optional<Fault> fault)
      throws IOException, InterruptedException {
    switch (fault.orElse(null)) {
      case Fault.LostResponse _ -> {
        session.begin();
        session.abandon();
        exchange.drop();
      }
      case Fault.Silent _ -> {
        exchange.upgrade(UPGRADE);
        session.begin();
        try {
          exchange.ignore();
        } finally {
          session.abandon();
        }
      }
      case Fault.FastExit _ -> {
        session.begin();
        while (!session.finished(Duration.ofMinutes(1))) {}
        var socket = exchange.upgrade(UPGRADE);
        debug(socket, "fast_path history_len=" + session.history().bytes());
        session.introduce(socket);
        session.replay(new Client(socket, Optional.empty(), settings.lingerAfterExit()));
        new Conversation(session, socket).listen(false);
      }
      case null, default -> {
        var socket = exchange.upgrade(UPGRADE);
        if (settings.mode() == Mode.LIVE) {
          debug(socket, "session_created");
        }
        session.introduce(socket);
        debug(socket, "normal_path history_len=0");
        var client = new Client(socket, fault, settings.lingerAfterExit());
        session.join(client, false);
        session.begin();
        talk(session, client, socket, request.stdin());
      }
    }
  }

  private Session start(Sprite sprite, ExecRequest request)
      throws IOException, InterruptedException {
    var prepared =
        sprite.machine().command(request.directory(), request.environment(), request.argv());
    if (!request.stdin()) {
      prepared.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    }
    var command = Command.start(prepared);
    var session = new Session(request, command, settings.clock().instant(), sprite.sessions());
    if (sprite.isGone()) {
      // What had started goes the way of its sprite, and that is noticed.
      session.begin();
      command.signal("KILL");
      throw new IOException("the sprite was deleted while its command started");
    }
    return session;
  }

  void attach(Exchange exchange, Sprite sprite) throws IOException, InterruptedException {
    var id = exchange.request().query().first("id").orElse(exchange.request().segments().getLast());
    var session = sprite.sessions().find(id);
    if (session.isEmpty()) {
      exchange.respond(Json.error(404, "session not found: " + id));
      return;
    }
    var socket = exchange.upgrade(UPGRADE);
    session.get().introduce(socket);
    var client = new Client(socket, Optional.empty(), settings.lingerAfterExit());
    session.get().join(client, true);
    talk(session.get(), client, socket, exchange.request().query().flag("stdin"));
  }

  private void talk(Session session, Client client, WebSocket socket, boolean stdin)
      throws IOException, InterruptedException {
    if (settings.mode() == Mode.SDK_FRIENDLY) {
      Thread.startVirtualThread(() -> keepAlive(session, socket));
    }
    try {
      new Conversation(session, socket).listen(stdin);
    } finally {
      session.leave(client);
    }
  }

  private static void keepAlive(Session session, WebSocket socket) {
    try {
      while (!session.finished(KEEPALIVE)) {
        debug(socket, "alive");
      }
    } catch (IOException e) {
      // The client went away.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void debug(WebSocket socket, String message) throws IOException {
    socket.text(Json.write(Map.of("type", "debug", "msg", message, "pid", 0, "t_ms", 0)));
  }

  Response list(Sprite sprite) {
    var sessions = sprite.sessions().all().stream().map(Session::json).toList();
    return Json.answer(200, Map.of("sessions", sessions, "count", sessions.size()));
  }

  Response kill(Call call, Sprite sprite) {
    var id = call.segments().get(4);
    var session = sprite.sessions().find(id).orElse(null);
    if (session == null) {
      return sprite.sessions().hasEnded(id)
          ? Response.text(410, "session already exited: " + id + "\n")
          : Response.text(404, "session not found: " + id + "\n");
    }
    var name = call.query().first("signal").orElse("SIGTERM");
    var timeout =
        call.query().first("timeout").flatMap(GoDuration::parse).orElse(Duration.ofSeconds(10));
    return Response.streamed(
        "application/x-ndjson",
        out -> {
          out.write(event("signal", "sent " + name));
          session.command().signal(name.replaceFirst("^SIG", ""));
          if (timeout.isZero()) {
            return;
          }
          if (session.command().ended(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
            out.write(event("exited", "process exited"));
          } else {
            out.write(event("timeout", "process did not exit within " + timeout.toSeconds() + "s"));
            session.command().signal("KILL");
            out.write(event("killed", "sent SIGKILL"));
          }
          var complete = new LinkedHashMap<String, Object>();
          complete.put("type", "complete");
          complete.put("exit_code", session.command().exitCode());
          out.write(Json.line(complete));
        });
  }

  private static byte[] event(String type, String message) {
    return Json.line(Map.of("type", type, "message", message));
  }
}
