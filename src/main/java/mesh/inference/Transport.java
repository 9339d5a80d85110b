package mesh.inference;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import mesh.outbound.Destination;
import mesh.outbound.OutboundGuard;
import okhttp3.ConnectionPool;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;

/**
 * Carries requests to services: one pool of connections for all, and the one place that knows a
 * key. The vendors' libraries are never given one, so they cannot show it.
 */
final class Transport implements AutoCloseable {

  private static final int IDLE_CONNECTIONS = 32;
  private static final long LARGEST_STREAM = 64L << 20;
  private static final int LONGEST_LINE = 4 << 20;
  private static final int LARGEST_ERROR = 64 << 10;
  private static final MediaType JSON = MediaType.get("application/json");

  private final OkHttpClient shared;
  private final OutboundGuard guard;

  Transport(OutboundGuard guard) {
    this.guard = guard;
    this.shared =
        new OkHttpClient.Builder()
            .connectionPool(new ConnectionPool(IDLE_CONNECTIONS, 5, TimeUnit.MINUTES))
            // Whether to ask again is decided in one place, and not here.
            .retryOnConnectionFailure(false)
            .build();
  }

  /**
   * A way to one connection's service.
   *
   * @throws IllegalArgumentException with a sentence if Mesh would never connect there
   */
  Route route(Connection connection, Patience patience) {
    var client =
        guard
            .hold(shared.newBuilder(), destination(connection))
            .connectTimeout(patience.connect())
            .readTimeout(patience.silence())
            .writeTimeout(patience.silence())
            .callTimeout(patience.whole())
            .build();
    return new Route(client, connection);
  }

  /** Judged again: the rules may have changed since it was saved. */
  private static Destination destination(Connection connection) {
    try {
      return Destination.of(connection.baseUrl().toString(), connection.allowPrivate());
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "The connection '%s' is not used. %s".formatted(connection.name(), e.getMessage()), e);
    }
  }

  /** No requests after this. */
  @Override
  public void close() {
    shared.dispatcher().executorService().shutdown();
    shared.connectionPool().evictAll();
  }

  /**
   * An answer, to be closed.
   *
   * @param body bounded
   */
  record Answer(int status, Map<String, List<String>> headers, BoundedBody body, Response response)
      implements AutoCloseable {

    @Override
    public void close() {
      response.close();
    }
  }

  /** To one connection's service and nowhere else. */
  static final class Route {

    private final OkHttpClient client;
    private final Connection connection;

    private Route(OkHttpClient client, Connection connection) {
      this.client = client;
      this.connection = connection;
    }

    Connection connection() {
      return connection;
    }

    /**
     * @param headers in pairs of name and value; without the key
     */
    Answer post(String url, List<Map.Entry<String, String>> headers, byte[] body)
        throws IOException {
      var request = new Request.Builder().url(url).post(RequestBody.create(body, JSON));
      for (var header : headers) {
        request.addHeader(header.getKey(), header.getValue());
      }
      authorize(request);
      var response = client.newCall(request.build()).execute();
      var most = response.isSuccessful() ? LARGEST_STREAM : LARGEST_ERROR;
      refuseWhatIsNoStream(response);
      return new Answer(
          response.code(),
          response.headers().toMultimap(),
          new BoundedBody(response.body().byteStream(), most, LONGEST_LINE),
          response);
    }

    /** A page that a proxy or a wrong address answers would read as a stream without events. */
    private static void refuseWhatIsNoStream(Response response) throws NoStream {
      var type = response.body().contentType();
      if (response.isSuccessful() && (type == null || !type.subtype().equals("event-stream"))) {
        response.close();
        throw new NoStream(type == null ? "no content type" : type.type() + "/" + type.subtype());
      }
    }

    private void authorize(Request.Builder request) throws UnusableKey {
      request.removeHeader("x-api-key");
      request.removeHeader("authorization");
      var key = connection.key();
      if (key == null) {
        return;
      }
      var text = key.reveal().strip();
      if (text.isEmpty() || !text.chars().allMatch(c -> c > ' ' && c < 127)) {
        // The library would say the whole header.
        throw new UnusableKey();
      }
      switch (connection.wire()) {
        case ANTHROPIC -> request.header("x-api-key", text);
        case OPENAI -> request.header("authorization", "Bearer " + text);
      }
    }
  }

  /** It can be in no header. */
  static final class UnusableKey extends IOException {
    UnusableKey() {
      super("Its key has characters that no key has: enter it again.");
    }
  }

  /** The service answered with something else than a stream of events. */
  static final class NoStream extends IOException {
    NoStream(String type) {
      super(type);
    }
  }

  /** Both libraries' headers in one form. */
  static List<Map.Entry<String, String>> pairs(
      Iterable<String> names, Function<String, List<String>> values) {
    var pairs = new ArrayList<Map.Entry<String, String>>();
    for (var name : names) {
      values.apply(name).forEach(value -> pairs.add(Map.entry(name, value)));
    }
    return pairs;
  }
}
