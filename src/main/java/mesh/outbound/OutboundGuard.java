package mesh.outbound;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import okhttp3.Dns;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Response;

/**
 * Keeps Mesh's own fetches where they are meant to go. Names are looked up once for each
 * connection, every address they have is judged, and exactly those are connected to, so a name that
 * leads elsewhere a moment later gains nothing.
 *
 * <pre>{@code
 * var destination = Destination.of("https://api.example.com", false);
 * var client = guard.hold(new OkHttpClient.Builder(), destination).build();
 * }</pre>
 */
public final class OutboundGuard {

  /** One for all: clients share connections only where their sockets come from one place. */
  private static final UndelayedSockets SOCKETS = new UndelayedSockets();

  private final Dns resolver;

  /**
   * @param resolver what names lead to; tests have their own
   */
  public OutboundGuard(Dns resolver) {
    this.resolver = resolver;
  }

  /**
   * What is wrong with where the destination leads at this moment; empty if nothing is, or if its
   * name leads nowhere. For forms: it waits for the DNS, and later fetches do not rely on it.
   */
  public Optional<String> objection(Destination destination) {
    try {
      lookup(destination, destination.host());
      return Optional.empty();
    } catch (DestinationRefused refused) {
      return Optional.of(refused.sentence());
    } catch (UnknownHostException unknown) {
      return Optional.empty();
    }
  }

  /**
   * Ties a client to one destination: it connects to nothing else, follows no redirect and uses no
   * proxy, whatever the builder said before. What it refuses fails with {@link DestinationRefused}
   * before anything is sent.
   */
  public OkHttpClient.Builder hold(OkHttpClient.Builder client, Destination destination) {
    return client
        .dns(host -> lookup(destination, host))
        // Addresses in place of names are not looked up: another host must not come this far.
        .addInterceptor(chain -> proceed(destination, chain))
        .addNetworkInterceptor(chain -> proceed(destination, chain))
        .followRedirects(false)
        .followSslRedirects(false)
        .socketFactory(SOCKETS)
        .proxy(Proxy.NO_PROXY);
  }

  private static Response proceed(Destination destination, Interceptor.Chain chain)
      throws IOException {
    if (!destination.holds(chain.request().url())) {
      throw new DestinationRefused(
          "This client is for %s, and nothing was sent elsewhere.".formatted(destination));
    }
    return chain.proceed(chain.request());
  }

  private List<InetAddress> lookup(Destination destination, String host)
      throws UnknownHostException {
    if (!host.equals(destination.host())) {
      throw new DestinationRefused(
          "This client is for %s, and nothing was sent elsewhere.".formatted(destination));
    }
    var literal = Literals.address(host);
    var addresses = literal.isPresent() ? List.of(literal.get()) : resolver.lookup(host);
    for (var address : addresses) {
      var objection = destination.objection(address);
      if (objection.isPresent()) {
        throw new DestinationRefused(objection.get());
      }
    }
    return addresses;
  }
}
