package mesh.simulator.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.util.Arrays;
import java.util.List;

/**
 * The head of a request.
 *
 * @param path as it was sent: still percent-encoded, without the query
 */
public record Request(String method, String path, Query query, Headers headers) {

  /** The path's parts, decoded; a slash inside a part was sent as {@code %2F}. */
  public List<String> segments() {
    return Arrays.stream(path.split("/"))
        .filter(part -> !part.isEmpty())
        .map(part -> URLDecoder.decode(part.replace("+", "%2B"), UTF_8))
        .toList();
  }

  public boolean wantsWebSocket() {
    return headers.lists("Upgrade", "websocket") && headers.first("Sec-WebSocket-Key").isPresent();
  }
}
