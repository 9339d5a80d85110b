package mesh.access;

import java.net.InetAddress;
import org.apache.catalina.valves.RemoteIpValve;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.core.Ordered;
import org.springframework.stereotype.Component;

/** Listens on this machine alone unless TLS, or a proxy that is declared, is in front. */
@Component
final class Listening
    implements WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory>, Ordered {

  private final ServerProperties server;
  private final AccessSettings settings;

  Listening(ServerProperties server, AccessSettings settings) {
    this.server = server;
    this.settings = settings;
  }

  @Override
  public void customize(ConfigurableTomcatWebServerFactory factory) {
    InetAddress address = server.getAddress();
    if (address == null) {
      factory.setAddress(InetAddress.getLoopbackAddress());
    } else if (!address.isLoopbackAddress()
        && !Ssl.isEnabled(server.getSsl())
        && !settings.behindProxy()) {
      throw new UnsafeBind(address);
    }
    // Absolute ones would be built from what the caller says this host is called.
    factory.addContextCustomizers(context -> context.setUseRelativeRedirects(true));
    if (settings.behindProxy() && server.getForwardHeadersStrategy() == null) {
      // From private addresses only, and the last hop first: callers cannot make theirs up.
      RemoteIpValve proxy = new RemoteIpValve();
      proxy.setProtocolHeader("X-Forwarded-Proto");
      factory.addEngineValves(proxy);
    }
  }

  @Override
  public int getOrder() {
    return Ordered.LOWEST_PRECEDENCE;
  }
}
