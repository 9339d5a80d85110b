package mesh.simulator.kubernetes;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import mesh.Canaries;
import mesh.simulator.http.Exchange;
import mesh.simulator.http.Response;
import mesh.simulator.http.WebSocket;

/** Records each request, lets a fault strike it, and hands it to whoever answers its kind. */
final class Api {

  private static final int MAX_BODY_BYTES = 3 * 1024 * 1024;
  private static final CallKind EXEC_BY_GET = new CallKind("get", "pods/exec");

  private final Settings settings;
  private final Faults faults;
  private final Discovery discovery;
  private final Objects objects;
  private final ExecCalls execs;
  private final List<RecordedCall> calls = new CopyOnWriteArrayList<>();

  Api(Settings settings, Faults faults, Objects objects, ExecCalls execs) {
    this.settings = settings;
    this.faults = faults;
    this.discovery = new Discovery(settings);
    this.objects = objects;
    this.execs = execs;
  }

  List<RecordedCall> calls() {
    return calls;
  }

  void handle(Exchange exchange) throws IOException, InterruptedException {
    var call = Call.of(exchange.request());
    var request = call.request();
    calls.add(
        new RecordedCall(
            call.kind(),
            request.method(),
            request.path(),
            request.query().names(),
            settings.clock().instant()));
    // What a vendor keeps of requests: addresses, but no bodies.
    Canaries.observe(request.path());
    request.query().names().forEach(name -> request.query().all(name).forEach(Canaries::observe));
    try {
      var authorization = request.headers().first("Authorization").orElse("");
      if (!authorization.equals("Bearer " + settings.token())) {
        throw Refusal.unauthorized();
      }
      strike(exchange, call);
    } catch (Refusal e) {
      exchange.respond(e.response());
    }
  }

  private void strike(Exchange exchange, Call call) throws IOException, InterruptedException {
    var fault = faults.strike(call.kind());
    switch (fault.orElse(null)) {
      case Fault.Answer answer -> exchange.respond(response(answer));
      case Fault.Hang _ -> exchange.ignore();
      case Fault.DroppedBefore _ -> exchange.drop();
      case Fault.Slow(var delay) -> {
        Pause.of(delay);
        act(exchange, call, Optional.empty());
      }
      case null, default -> act(exchange, call, fault);
    }
  }

  private static Response response(Fault.Answer answer) {
    var response = Response.json(answer.status(), answer.body());
    for (var field : answer.headers().entrySet()) {
      response = response.with(field.getKey(), field.getValue());
    }
    return response;
  }

  private void act(Exchange exchange, Call call, Optional<Fault> fault)
      throws IOException, InterruptedException {
    var target = call.target().filter(it -> discovery.serves(it.type()));
    if (target.isPresent()) {
      permit(call, target.get());
    }
    if (target.filter(it -> it.resource().equals("pods/exec")).isPresent()) {
      execs.exec(exchange, target.get(), fault);
      return;
    }
    if (call.kind().verb().equals("watch") && call.request().wantsWebSocket()) {
      follow(exchange, objects.watch(call, target.orElseThrow(), fault));
      return;
    }
    var body =
        exchange
            .body(MAX_BODY_BYTES)
            .orElseThrow(() ->
                Refusal.of(
                    413, "RequestEntityTooLarge", "Request entity too large: limit is 3145728"));
    switch (fault.orElse(null)) {
      case Fault.LostResponse _ -> {
        complete(answer(call, target, body, fault));
        exchange.drop();
      }
      case Fault.AnswerAfter(var answer) -> {
        complete(answer(call, target, body, fault));
        exchange.respond(response(answer));
      }
      case Fault.LateEffect(var delay) -> {
        Pause.then(delay, () -> complete(answer(call, target, body, fault)));
        exchange.respond(response(Fault.status(504)));
      }
      case null, default -> exchange.respond(answer(call, target, body, fault));
    }
  }

  /** Some clients watch through a WebSocket: one text message an event. */
  private static void follow(Exchange exchange, Watch watch)
      throws IOException, InterruptedException {
    var socket = exchange.upgrade(Map.of());
    var watching = Thread.currentThread();
    var listening =
        Thread.startVirtualThread(() -> {
          while (!(socket.receive() instanceof WebSocket.Closed)) {}
          watching.interrupt();
        });
    try {
      watch.tell(socket::text);
      socket.close(1000);
      listening.join(Duration.ofSeconds(1));
    } finally {
      socket.drop();
    }
  }

  private void permit(Call call, Target target) {
    // A command takes the rights to get and to create, whatever the request's method.
    var alsoNeeded = call.kind().equals(CallKind.EXEC) ? EXEC_BY_GET : call.kind();
    if (settings.refuses(call.kind()) || settings.refuses(alsoNeeded)) {
      var verb = settings.refuses(call.kind()) ? call.kind().verb() : alsoNeeded.verb();
      var where =
          target.namespace().isEmpty()
              ? "at the cluster scope"
              : "in the namespace \"" + target.namespace() + "\"";
      var message =
          "%s is forbidden: User \"simulated\" cannot %s resource \"%s\" in API group \"%s\" %s"
              .formatted(
                  target.type().qualified()
                      + (target.name().isEmpty() ? "" : " \"" + target.name() + "\""),
                  verb,
                  target.resource(),
                  target.type().group(),
                  where);
      throw Refusal.notAllowed(target.key(), message);
    }
  }

  /** Lets a streamed answer do what it does, for nobody. */
  private static void complete(Response response) throws IOException, InterruptedException {
    if (response.body() instanceof Response.Streamed(var source)) {
      source.writeTo(OutputStream.nullOutputStream());
    }
  }

  private Response answer(Call call, Optional<Target> target, byte[] body, Optional<Fault> fault)
      throws IOException {
    try {
      if (target.isPresent()) {
        return objects.answer(call, target.get(), body, fault);
      }
      return discovery
          .answer(call.request().segments())
          .map(it -> Response.json(200, Json.write(it)))
          .orElseGet(() -> Response.text(404, "404 page not found\n"));
    } catch (Refusal e) {
      return e.response();
    } catch (IllegalArgumentException e) {
      return Refusal.badRequest(String.valueOf(e.getMessage())).response();
    }
  }
}
