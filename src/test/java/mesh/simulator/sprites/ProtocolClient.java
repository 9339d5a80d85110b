package mesh.simulator.sprites;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/** Speaks the protocol plainly, as an adapter's author might by hand. */
final class ProtocolClient implements AutoCloseable {

  private final HttpClient http = HttpClient.newHttpClient();
  private final OkHttpClient sockets =
      new OkHttpClient.Builder()
          .readTimeout(Duration.ZERO)
          // A command must not run twice because its answer was lost.
          .retryOnConnectionFailure(false)
          .build();
  private final SpritesSimulator vendor;

  ProtocolClient(SpritesSimulator vendor) {
    this.vendor = vendor;
  }

  HttpResponse<String> send(String method, String path, String body)
      throws IOException, InterruptedException {
    return http.send(
        request(path).method(method, HttpRequest.BodyPublishers.ofString(body)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send("GET", path, "");
  }

  HttpResponse<String> create(String name) throws IOException, InterruptedException {
    return send("POST", "/v1/sprites", "{\"name\":\"" + name + "\"}");
  }

  HttpResponse<String> delete(String name) throws IOException, InterruptedException {
    return send("DELETE", "/v1/sprites/" + name, "");
  }

  HttpResponse<String> write(String sprite, String path, String content)
      throws IOException, InterruptedException {
    return send("PUT", files(sprite, "write", path) + "&mode=0640", content);
  }

  HttpResponse<String> read(String sprite, String path) throws IOException, InterruptedException {
    return get(files(sprite, "read", path));
  }

  HttpResponse<String> list(String sprite, String path) throws IOException, InterruptedException {
    return get(files(sprite, "list", path));
  }

  private static String files(String sprite, String operation, String path) {
    return "/v1/sprites/%s/fs/%s?workingDir=/home/sprite&path=%s"
        .formatted(sprite, operation, encoded(path));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(vendor.baseUrl() + path))
        .header("Authorization", "Bearer " + vendor.token());
  }

  /** Starts a shell script and returns at once. */
  Conversed start(String sprite, String script, String moreQuery)
      throws ExecutionException, InterruptedException {
    return open("/v1/sprites/" + sprite + "/exec?cmd=sh&cmd=-c&cmd=" + encoded(script) + moreQuery);
  }

  /** Runs a shell script with closed input to its exit frame. */
  Conversed run(String sprite, String script) throws ExecutionException, InterruptedException {
    return start(sprite, script, "").awaitExit();
  }

  /**
   * Opens a WebSocket.
   *
   * @throws ExecutionException caused by {@link Conversed.Refused} if it is answered with a status
   */
  Conversed open(String pathAndQuery) throws ExecutionException, InterruptedException {
    var conversed = new Conversed();
    var request =
        new Request.Builder()
            .url(vendor.baseUrl() + pathAndQuery)
            .header("Authorization", "Bearer " + vendor.token())
            .build();
    sockets.newWebSocket(request, conversed);
    conversed.opened().get();
    return conversed;
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, UTF_8);
  }

  @Override
  public void close() {
    http.shutdownNow();
    sockets.dispatcher().executorService().shutdown();
    sockets.connectionPool().evictAll();
  }
}
