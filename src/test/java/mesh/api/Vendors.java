package mesh.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import mesh.simulator.sprites.SpritesSimulator;

/** What happens at a vendor without Mesh. */
final class Vendors {

  private Vendors() {}

  /** Somebody deletes a sandbox in the vendor's console. */
  static void delete(SpritesSimulator vendor, String name) {
    send(vendor, name, HttpRequest.newBuilder().DELETE());
  }

  /** Somebody writes a file of a sandbox; {@code path} is absolute. */
  static void write(SpritesSimulator vendor, String name, String path, String content) {
    send(
        vendor,
        name + "/fs/write?path=" + URLEncoder.encode(path, StandardCharsets.UTF_8),
        HttpRequest.newBuilder().PUT(HttpRequest.BodyPublishers.ofString(content)));
  }

  private static void send(SpritesSimulator vendor, String what, HttpRequest.Builder request) {
    request
        .uri(URI.create(vendor.baseUrl() + "/v1/sprites/" + what))
        .header("Authorization", "Bearer " + vendor.token());
    try {
      var answer =
          HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() >= 300) {
        throw new AssertionError("the vendor answered " + answer.statusCode() + answer.body());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
