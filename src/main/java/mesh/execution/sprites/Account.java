package mesh.execution.sprites;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import okhttp3.HttpUrl;

/**
 * Where the vendor answers and what it lets us in with.
 *
 * @param token opaque; never part of a URL, of {@link #toString} or of a message
 */
record Account(HttpUrl base, String token) {

  String authorization() {
    return "Bearer " + token;
  }

  /** {@code /v1/sprites} and below it. */
  HttpUrl.Builder sprites() {
    return base.newBuilder().query(null).fragment(null).addPathSegments("v1/sprites");
  }

  HttpUrl.Builder sprite(String name) {
    return sprites().addPathSegment(name);
  }

  /**
   * The address that runs {@code argv} in a sprite, its input left open. Once we leave, the vendor
   * still reads the output of what runs on in the background for the longest time a command may
   * take, so that no broken pipe ends it.
   */
  URI exec(String name, List<String> argv) {
    var address = new StringBuilder(sprite(name).addPathSegment("exec").build().toString());
    address.replace(0, "http".length(), "ws").append("?path=").append(encoded(argv.getFirst()));
    argv.forEach(argument -> address.append("&cmd=").append(encoded(argument)));
    return URI.create(address.append("&stdin=true&max_run_after_disconnect=1h").toString());
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** The vendor's words without our token, in case it echoes what it was sent. */
  String cleaned(String words) {
    return words.replace(token, "[secret]");
  }

  @Override
  public String toString() {
    return "Account[" + base.host() + "]";
  }
}
