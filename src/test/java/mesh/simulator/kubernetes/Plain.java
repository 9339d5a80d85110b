package mesh.simulator.kubernetes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Requests that a client's own way of making them would hide. */
final class Plain {

  private Plain() {}

  static HttpResponse<String> send(
      KubernetesSimulator cluster, String method, String path, String body) {
    var request =
        HttpRequest.newBuilder(URI.create(cluster.url() + path))
            .header("Authorization", "Bearer " + cluster.token())
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
