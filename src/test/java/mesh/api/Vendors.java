package mesh.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import mesh.simulator.sprites.SpritesSimulator;

/** What happens at a vendor without Mesh. */
final class Vendors {

  private Vendors() {}

  /** Somebody deletes a sandbox in the vendor's console. */
  static void delete(SpritesSimulator vendor, String name) {
    var request =
        HttpRequest.newBuilder(URI.create(vendor.baseUrl() + "/v1/sprites/" + name))
            .header("Authorization", "Bearer " + vendor.token())
            .DELETE()
            .build();
    try {
      HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
