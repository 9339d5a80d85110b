package mesh.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import mesh.Await;
import mesh.Canaries;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A receiver of webhooks, on loopback, that answers as it is told and keeps what it gets. */
public final class Receiver implements AutoCloseable {

  private static final JsonMapper JSON = new JsonMapper();

  private final HttpServer server;
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile Function<Call, Reply> reply = _ -> Reply.OK;

  private Receiver(HttpServer server) {
    this.server = server;
  }

  /** What it answers; a hanging one answers nothing before it is closed. */
  public record Reply(int status, Map<String, String> headers, String body, boolean hangs) {

    public static final Reply OK = of(204);
    public static final Reply HANG = new Reply(204, Map.of(), "", true);

    /** A body that begins and never ends. */
    public static Reply endless(int status, String begin) {
      return new Reply(status, Map.of(), begin, true);
    }

    public static Reply of(int status) {
      return new Reply(status, Map.of(), "", false);
    }

    public static Reply of(int status, Map<String, String> headers) {
      return new Reply(status, headers, "", false);
    }

    public static Reply of(int status, String body) {
      return new Reply(status, Map.of(), body, false);
    }
  }

  /** A call as it came. */
  public record Call(String id, String timestamp, String signature, String body) {

    public JsonNode json() {
      return JSON.readTree(body);
    }

    public String type() {
      return json().get("type").asString();
    }

    /** Checks as the specification tells receivers to, with code of its own. */
    public boolean isSignedWith(String secret) {
      try {
        var mac = Mac.getInstance("HmacSHA256");
        mac.init(
            new SecretKeySpec(
                Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
        var expected =
            "v1,"
                + Base64.getEncoder()
                    .encodeToString(
                        mac.doFinal((id + "." + timestamp + "." + body).getBytes(UTF_8)));
        return Arrays.asList(signature.split(" ")).contains(expected);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  public static Receiver start() {
    try {
      var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      var receiver = new Receiver(server);
      server.createContext("/", receiver::handle);
      server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
      server.start();
      return receiver;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
  }

  public Receiver replies(Function<Call, Reply> with) {
    reply = with;
    return this;
  }

  public List<Call> calls() {
    return List.copyOf(calls);
  }

  public List<String> types() {
    return calls.stream().map(Call::type).toList();
  }

  /** Waits for so many calls. */
  public List<Call> await(int count) {
    return Await.until(Duration.ofSeconds(30), this::calls, it -> it.size() >= count);
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var headers = exchange.getRequestHeaders();
      var call =
          new Call(
              String.valueOf(headers.getFirst("webhook-id")),
              String.valueOf(headers.getFirst("webhook-timestamp")),
              String.valueOf(headers.getFirst("webhook-signature")),
              new String(exchange.getRequestBody().readAllBytes(), UTF_8));
      Canaries.observe(headers.entrySet().toString());
      Canaries.observe(call.body());
      calls.add(call);
      var answer = reply.apply(call);
      var body = answer.body().getBytes(UTF_8);
      if (answer.hangs()) {
        if (body.length > 0) {
          exchange.sendResponseHeaders(answer.status(), 0);
          exchange.getResponseBody().write(body);
          exchange.getResponseBody().flush();
        }
        closed.await(60, TimeUnit.SECONDS);
        return;
      }
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(answer.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }
}
