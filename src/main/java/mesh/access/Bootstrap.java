package mesh.access;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;
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
  private final PublicUrl url;
  private final PrintStream console;

  Bootstrap(FirstToken token, Setup setup, PublicUrl url, PrintStream console) {
    this.token = token;
    this.setup = setup;
    this.url = url;
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
                    + "    %s%n%n",
                url.of("/setup?token=" + link.reveal())));
  }

  private static boolean isManagement(@Nullable String namespace) {
    return namespace != null && !namespace.isEmpty();
  }
}
