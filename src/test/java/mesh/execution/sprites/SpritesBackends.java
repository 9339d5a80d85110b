package mesh.execution.sprites;

import java.security.SecureRandom;
import mesh.execution.Backend;
import okhttp3.HttpUrl;

/** Opens the adapter for code outside its package, such as measurements. */
public final class SpritesBackends {

  private SpritesBackends() {}

  public static Backend open(String baseUrl, String token) {
    return SpritesBackend.open(
        new Account(HttpUrl.get(baseUrl), token), new SecureRandom(), Thread::sleep);
  }
}
