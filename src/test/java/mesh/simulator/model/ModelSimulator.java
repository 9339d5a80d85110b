package mesh.simulator.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import mesh.simulator.http.Exchange;
import mesh.simulator.http.Response;
import mesh.simulator.http.WireServer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Services of models on 127.0.0.1, for both protocols at once. What a model says is a function of
 * the request. Whatever breaks a vendor's rules is answered 400, as the vendors do, and kept.
 *
 * <pre>{@code
 * try (var service = ModelSimulator.start(0)) {
 *   service.script(request -> ModelReply.says("hello"));
 *   service.next(new Fault.Cut(200));
 *   // … let a client talk to service.anthropic() or service.openAi() …
 *   assertThat(service.broken()).isEmpty();
 * }
 * }</pre>
 */
public final class ModelSimulator implements AutoCloseable {

  private static final int LARGEST = 64 << 20;
  private static final JsonMapper JSON = new JsonMapper();

  private final WireServer server;
  private final List<ModelRequest> requests = new CopyOnWriteArrayList<>();
  private final List<String> broken = new CopyOnWriteArrayList<>();
  private final AtomicInteger abandoned = new AtomicInteger();
  private final Queue<Fault> faults = new ArrayDeque<>();
  private volatile Function<ModelRequest, ModelReply> script = _ -> ModelReply.says("Done.");

  private ModelSimulator(int port) throws IOException {
    this.server = WireServer.start(port, this::handle);
  }

  /**
   * @param port 0 for any free one
   */
  public static ModelSimulator start(int port) throws IOException {
    return new ModelSimulator(port);
  }

  /** The base URL for Anthropic's protocol. */
  public String anthropic() {
    return "http://127.0.0.1:" + server.port();
  }

  /** The base URL for OpenAI's. */
  public String openAi() {
    return anthropic() + "/v1";
  }

  /** What is said from now on. */
  public void script(Function<ModelRequest, ModelReply> script) {
    this.script = script;
  }

  /** Strikes the next request for which there is no fault yet. */
  public void next(Fault fault) {
    synchronized (faults) {
      faults.add(fault);
    }
  }

  /** Every request so far, in order. */
  public List<ModelRequest> requests() {
    return List.copyOf(requests);
  }

  /** The rules that requests broke so far. */
  public List<String> broken() {
    return List.copyOf(broken);
  }

  /** How many silent streams their clients gave up. */
  public int abandoned() {
    return abandoned.get();
  }

  private void handle(Exchange exchange) throws IOException, InterruptedException {
    var dialogue =
        switch (exchange.request().path()) {
          case "/v1/messages" -> Dialogue.ANTHROPIC;
          case "/v1/chat/completions" -> Dialogue.OPENAI;
          default -> null;
        };
    var bytes = exchange.body(LARGEST);
    if (dialogue == null || bytes.isEmpty()) {
      exchange.respond(Response.text(404, "There is nothing here."));
      return;
    }
    var request = new ModelRequest(dialogue, key(exchange, dialogue), JSON.readTree(bytes.get()));
    requests.add(request);
    var rules = RequestRules.broken(dialogue, request.body());
    if (dialogue == Dialogue.ANTHROPIC
        && exchange.request().headers().first("anthropic-version").isEmpty()) {
      rules.add("anthropic-version: header is required");
    }
    broken.addAll(rules);
    if (!rules.isEmpty()) {
      var fault =
          new Fault.Refused(400, "invalid_request_error", String.join("; ", rules), Map.of());
      answer(exchange, request, fault);
      return;
    }
    answer(exchange, request, fault());
  }

  private @Nullable Fault fault() {
    synchronized (faults) {
      return faults.poll();
    }
  }

  private static String key(Exchange exchange, Dialogue dialogue) {
    var headers = exchange.request().headers();
    return dialogue == Dialogue.ANTHROPIC
        ? headers.first("x-api-key").orElse("")
        : headers.first("authorization").orElse("").replaceFirst("^Bearer ", "");
  }

  private void answer(Exchange exchange, ModelRequest request, @Nullable Fault fault)
      throws IOException, InterruptedException {
    switch (fault) {
      case null -> stream(exchange, events(request), 0);
      case Fault.Slow(var pause) -> stream(exchange, events(request), pause.toNanos());
      case Fault.Refused(var status, var code, var message, var headers) -> {
        var response = Response.json(status, Events.error(request.dialogue(), code, message));
        for (var header : headers.entrySet()) {
          response = response.with(header.getKey(), header.getValue());
        }
        exchange.respond(response);
      }
      case Fault.Cut(var bytes) ->
          exchange.respond(
              Response.streamed(
                  "text/event-stream",
                  out -> {
                    out.write(String.join("", events(request)).getBytes(UTF_8), 0, bytes);
                    throw new IOException("cut");
                  }));
      case Fault.Ended(var events) -> stream(exchange, events(request).subList(0, events), 0);
      case Fault.Silent() ->
          exchange.respond(
              Response.streamed("text/event-stream", out -> fallSilent(exchange, request, out)));
      case Fault.BrokenStream(var code, var message) ->
          stream(
              exchange,
              List.of(
                  events(request).getFirst(), Events.errorEvent(request.dialogue(), code, message)),
              0);
      case Fault.Other(var contentType, var body) ->
          exchange.respond(Response.of(200, contentType, body.getBytes(UTF_8)));
      case Fault.Redirected(var location) ->
          exchange.respond(Response.empty(307).with("Location", location));
      case Fault.Dropped() -> exchange.drop();
    }
  }

  private List<String> events(ModelRequest request) {
    return Events.of(request.dialogue(), script.apply(request));
  }

  private static void stream(Exchange exchange, List<String> events, long pauseNanos)
      throws IOException, InterruptedException {
    exchange.respond(
        Response.streamed(
            "text/event-stream; charset=utf-8",
            out -> {
              for (var event : events) {
                LockSupport.parkNanos(pauseNanos);
                out.write(event.getBytes(UTF_8));
              }
            }));
  }

  private void fallSilent(Exchange exchange, ModelRequest request, OutputStream out)
      throws IOException {
    out.write(events(request).getFirst().getBytes(UTF_8));
    try {
      exchange.ignore();
    } finally {
      abandoned.incrementAndGet();
    }
    throw new IOException("the client went away");
  }

  @Override
  public void close() {
    server.close();
  }
}
