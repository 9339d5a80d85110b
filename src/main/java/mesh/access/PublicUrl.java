package mesh.access;

import java.net.URI;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;

/**
 * Mesh's own address as people reach it: {@code MESH_PUBLIC_URL}, else where the server listens.
 * For links that are printed or sent.
 */
@Component
public final class PublicUrl {

  private final AccessSettings settings;
  private final ServerProperties server;
  private volatile int port;

  PublicUrl(AccessSettings settings, ServerProperties server) {
    this.settings = settings;
    this.server = server;
  }

  /**
   * The whole address of a page; only once the server listens.
   *
   * @param path begins with a slash
   */
  public String of(String path) {
    return base() + path;
  }

  @EventListener
  @Order(Ordered.HIGHEST_PRECEDENCE)
  void serverListens(WebServerInitializedEvent event) {
    var namespace = event.getApplicationContext().getServerNamespace();
    if (namespace == null || namespace.isEmpty()) {
      port = event.getWebServer().getPort();
    }
  }

  private String base() {
    return settings
        .url()
        .map(URI::toString)
        .map(url -> url.endsWith("/") ? url.substring(0, url.length() - 1) : url)
        .orElseGet(() -> scheme() + "://" + host() + ":" + port);
  }

  private String scheme() {
    return server.getSsl() != null && server.getSsl().isEnabled() ? "https" : "http";
  }

  private String host() {
    var address = server.getAddress();
    if (address == null || address.isAnyLocalAddress()) {
      return "localhost";
    }
    var host = address.getHostAddress();
    return host.contains(":") ? "[" + host + "]" : host;
  }
}
