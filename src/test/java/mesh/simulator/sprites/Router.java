package mesh.simulator.sprites;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import mesh.Canaries;
import mesh.simulator.http.Exchange;
import mesh.simulator.http.Response;

/** Records each request, lets a fault strike it, and hands it to whoever answers its kind. */
final class Router {

  /** The vendor's limit for a file. */
  private static final int MAX_BODY_BYTES = 16 * 1024 * 1024;

  private final Inventory inventory;
  private final Settings settings;
  private final Faults faults;
  private final List<RecordedCall> calls = new CopyOnWriteArrayList<>();
  private final SpriteCalls sprites;
  private final ExecCalls execs;
  private final FileCalls files;
  private final CheckpointCalls checkpoints;

  Router(Inventory inventory, Settings settings, Faults faults) {
    this.inventory = inventory;
    this.settings = settings;
    this.faults = faults;
    this.sprites = new SpriteCalls(inventory, settings::clock);
    this.execs = new ExecCalls(settings);
    this.files = new FileCalls(settings);
    this.checkpoints = new CheckpointCalls(settings);
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
    var authorization = request.headers().first("Authorization").orElse("");
    if (!authorization.startsWith("Bearer ") || !settings.accepts(authorization.substring(7))) {
      exchange.respond(Json.error(401, "authentication failed"));
      return;
    }
    var fault = faults.strike(call.kind());
    switch (fault.orElse(null)) {
      case Fault.Answer(var status, var headers, var body) -> {
        var response = Response.json(status, body);
        for (var field : headers.entrySet()) {
          response = response.with(field.getKey(), field.getValue());
        }
        exchange.respond(response);
      }
      case Fault.Hang _ -> exchange.ignore();
      case Fault.DroppedBefore _ -> exchange.drop();
      case Fault.Slow(var delay) -> {
        Pause.of(delay);
        act(exchange, call, Optional.empty());
      }
      case null, default -> act(exchange, call, fault);
    }
  }

  private void act(Exchange exchange, Call call, Optional<Fault> fault)
      throws IOException, InterruptedException {
    var name = call.sprite();
    var sprite = name.flatMap(inventory::find);
    if (name.isPresent() && sprite.isEmpty()) {
      exchange.respond(Json.error(404, "sprite not found"));
      return;
    }
    switch (call.kind()) {
      case EXEC -> execs.exec(exchange, sprite.orElseThrow(), fault);
      case ATTACH -> execs.attach(exchange, sprite.orElseThrow());
      default -> {
        var body = exchange.body(MAX_BODY_BYTES);
        if (body.isEmpty()) {
          exchange.respond(Json.error(413, "request body too large"));
          return;
        }
        respond(exchange, call, sprite, body.get(), fault);
      }
    }
  }

  private void respond(
      Exchange exchange, Call call, Optional<Sprite> sprite, byte[] body, Optional<Fault> fault)
      throws IOException, InterruptedException {
    switch (fault.orElse(null)) {
      case Fault.LostResponse _ -> {
        complete(answer(call, sprite, body));
        exchange.drop();
      }
      case Fault.LateEffect(var delay) -> {
        Pause.then(delay, () -> complete(answer(call, sprite, body)));
        exchange.respond(Json.error(503, "service unavailable"));
      }
      case Fault.SlowDelete(var delay) when call.kind() == CallKind.DELETE -> {
        Pause.then(delay, () -> complete(answer(call, sprite, body)));
        exchange.respond(Response.empty(204));
      }
      case Fault.StaleList(Duration age) when call.kind() == CallKind.LIST ->
          exchange.respond(sprites.list(call, settings.clock().instant().minus(age)));
      case null, default -> exchange.respond(answer(call, sprite, body));
    }
  }

  /** Lets a streamed answer do what it does, for nobody. */
  private static void complete(Response response) throws IOException, InterruptedException {
    if (response.body() instanceof Response.Streamed(var source)) {
      source.writeTo(OutputStream.nullOutputStream());
    }
  }

  private Response answer(Call call, Optional<Sprite> target, byte[] body)
      throws IOException, InterruptedException {
    try {
      return switch (call.kind()) {
        case CREATE -> sprites.create(body);
        case LIST -> sprites.list(call);
        case UNKNOWN, EXEC, ATTACH -> Response.text(404, "404 page not found\n");
        default -> answer(call, target.orElseThrow(), body);
      };
    } catch (IllegalArgumentException e) {
      return Json.error(400, String.valueOf(e.getMessage()));
    }
  }

  private Response answer(Call call, Sprite sprite, byte[] body)
      throws IOException, InterruptedException {
    return switch (call.kind()) {
      case GET -> sprites.get(sprite);
      case UPDATE -> sprites.update(sprite, body);
      case DELETE -> sprites.delete(sprite);
      case FS_READ -> files.read(call, sprite);
      case FS_WRITE -> files.write(call, sprite, body);
      case FS_LIST -> files.list(call, sprite);
      case FS_CHANGE -> files.change(call, sprite, body);
      case EXEC_LIST -> execs.list(sprite);
      case KILL -> execs.kill(call, sprite);
      case SERVICE_LIST -> sprite.services().list();
      case SERVICE_CREATE -> sprite.services().put(call.last(), body);
      case SERVICE_DELETE -> sprite.services().delete(call.last());
      case POLICY_READ -> PolicyCalls.read(sprite);
      case POLICY_WRITE -> PolicyCalls.write(sprite, body);
      case CHECKPOINT_CREATE -> checkpoints.create(sprite, body);
      case CHECKPOINT_LIST -> checkpoints.list(call, sprite);
      case CHECKPOINT_RESTORE -> checkpoints.restore(call, sprite);
      case CHECKPOINT_DELETE -> checkpoints.delete(call, sprite);
      case CREATE, LIST, EXEC, ATTACH, UNKNOWN -> throw new IllegalStateException("" + call.kind());
    };
  }
}
