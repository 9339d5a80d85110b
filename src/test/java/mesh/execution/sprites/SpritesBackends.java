package mesh.execution.sprites;

import java.security.SecureRandom;
import java.time.Duration;
import mesh.execution.Backend;
import okhttp3.HttpUrl;

/** Opens the adapter for code outside its package, such as measurements. */
public final class SpritesBackends {

  /** As Mesh has it unless an operator says otherwise. */
  static final Duration MARGIN = Duration.ofSeconds(30);

  private SpritesBackends() {}

  public static Backend open(String baseUrl, String token) {
    return new OpenSpritesBackend(
        new Account(HttpUrl.get(baseUrl), token), new SecureRandom(), Thread::sleep, MARGIN);
  }
}
