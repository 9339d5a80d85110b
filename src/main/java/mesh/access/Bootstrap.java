package mesh.access;

import java.io.PrintStream;
import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.servlet.context.ServletWebServerInitializedEvent;
import org.springframework.context.event.EventListener;

/**
 * What the first start leaves in somebody's hands, once the server listens: a token for scripts and
 * a one-time link for the first admin. The link goes to the console and not to the log, which is
 * shipped elsewhere and kept.
 */
final class Bootstrap {

  private final FirstToken token;
  private final Setup setup;
  private final AccessSettings settings;
  private final ServerProperties server;
  private final PrintStream console;

  Bootstrap(
      FirstToken token,
      Setup setup,
      AccessSettings settings,
      ServerProperties server,
      PrintStream console) {
    this.token = token;
    this.setup = setup;
    this.settings = settings;
    this.server = server;
    this.console = console;
  }

  @EventListener
  void serverListens(ServletWebServerInitializedEvent event) {
    if (isManagement(event.getApplicationContext().getServerNamespace())) {
      return;
    }
    token.makeOnce();
    setup
        .open()
        .ifPresent(link ->
            console.printf(
                "%n  Mesh has no admin yet. Make one within an hour, with this link:%n%n"
                    + "    %s/setup?token=%s%n%n",
                address(event.getWebServer().getPort()), link.reveal()));
  }

  private static boolean isManagement(@Nullable String namespace) {
    return namespace != null && !namespace.isEmpty();
  }

  private String address(int port) {
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
    if (server.getAddress() == null || server.getAddress().isAnyLocalAddress()) {
      return "localhost";
    }
    String host = server.getAddress().getHostAddress();
    return host.contains(":") ? "[" + host + "]" : host;
  }
}
