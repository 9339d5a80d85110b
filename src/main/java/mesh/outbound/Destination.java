package mesh.outbound;

import java.net.InetAddress;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * An address that somebody wrote and that Mesh may fetch from, in the one form that is stored: as
 * the client that connects reads it, so nothing else can be meant by it. Whatever could be read in
 * two ways is refused and not guessed at. What its host's name leads to is not known here: see
 * {@link OutboundGuard}.
 */
public final class Destination {

  /** In characters. */
  public static final int LONGEST = 2_000;

  private static final Pattern SCHEME = Pattern.compile("(?i)(https?)://([^/?#]*).*");
  private static final Pattern NUMBER = Pattern.compile("[0-9]+|0[xX][0-9a-fA-F]*");
  private static final Pattern FOUR_NUMBERS =
      Pattern.compile("((0|[1-9][0-9]{0,2})\\.){3}(0|[1-9][0-9]{0,2})");

  private final HttpUrl url;
  private final boolean allowPrivate;

  private Destination(HttpUrl url, boolean allowPrivate) {
    this.url = url;
    this.allowPrivate = allowPrivate;
  }

  /**
   * @param allowPrivate whether an operator said that this machine and private networks are meant;
   *     only then may it be http, and only there
   * @throws IllegalArgumentException with a sentence if Mesh would never fetch from it
   */
  public static Destination of(@Nullable String text, boolean allowPrivate) {
    var written = text == null ? "" : text.strip();
    refuse(wrongShape(written));
    var parsed = HttpUrl.parse(written);
    if (parsed == null) {
      throw new IllegalArgumentException("This is no address: write https://, a host, a path.");
    }
    var host = parsed.host();
    var url =
        host.endsWith(".")
            ? parsed.newBuilder().host(host.substring(0, host.length() - 1)).build()
            : parsed;
    refuse(wrongHost(url.host()));
    refuse(wrongPort(url));
    if (!url.isHttps() && !allowPrivate) {
      throw new IllegalArgumentException(
          "This would go unencrypted: write https://. Only hosts in a private network may have http://, once private addresses are allowed.");
    }
    var destination = new Destination(url, allowPrivate);
    refuse(destination.literalObjection());
    return destination;
  }

  /** As it is stored; without a slash at the end where there is no path. */
  public URI uri() {
    var text = url.toString();
    boolean bare = url.encodedPath().equals("/") && url.encodedQuery() == null;
    return URI.create(bare ? text.substring(0, text.length() - 1) : text);
  }

  /** Lower case, ASCII; an IPv6 address without brackets. */
  public String host() {
    return url.host();
  }

  public boolean allowPrivate() {
    return allowPrivate;
  }

  /** Whether a request goes where this says: the same scheme, host and port. */
  boolean holds(HttpUrl request) {
    return request.scheme().equals(url.scheme())
        && request.host().equals(url.host())
        && request.port() == url.port();
  }

  /** Why Mesh does not connect to an address that the host has; empty if it does. */
  Optional<String> objection(InetAddress address) {
    return switch (Reach.of(address)) {
      case NEVER ->
          Optional.of(
              "%s has the address %s, where Mesh never connects: it is for a machine's own metadata, or nobody's. Write another host."
                  .formatted(host(), address.getHostAddress()));
      case PRIVATE ->
          allowPrivate
              ? Optional.empty()
              : Optional.of(
                  "%s has the address %s, on this machine or in a private network. Allow private addresses for it if that is where it is meant to go."
                      .formatted(host(), address.getHostAddress()));
      case PUBLIC ->
          url.isHttps()
              ? Optional.empty()
              : Optional.of(
                  "%s has the address %s, which is public, and this would go there unencrypted: write https://."
                      .formatted(host(), address.getHostAddress()));
    };
  }

  /** Addresses in place of names are never looked up, so they are judged here. */
  private Optional<String> literalObjection() {
    return Literals.address(host()).flatMap(this::objection);
  }

  private static void refuse(Optional<String> sentence) {
    if (sentence.isPresent()) {
      throw new IllegalArgumentException(sentence.get());
    }
  }

  private static Optional<String> wrongShape(String text) {
    if (text.isEmpty()) {
      return Optional.of("Write an address, such as https://api.example.com.");
    }
    if (text.length() > LONGEST) {
      return Optional.of("The address is longer than %,d characters.".formatted(LONGEST));
    }
    if (text.chars().anyMatch(c -> c <= ' ' || Character.isISOControl(c) || c == '\\')) {
      return Optional.of("The address has a blank, a control character or a backslash in it.");
    }
    var match = SCHEME.matcher(text);
    if (!match.matches()) {
      return Optional.of("The address must begin with https://.");
    }
    var authority = match.group(2);
    if (authority.contains("@")) {
      return Optional.of("The address has a user in it: write the key in its own field.");
    }
    if (authority.contains("%")) {
      return Optional.of("The host has a percent sign, which no host name has.");
    }
    if (text.contains("#")) {
      return Optional.of("The address has a fragment: leave out the # and what follows it.");
    }
    return Optional.empty();
  }

  private static Optional<String> wrongHost(String host) {
    var last = host.substring(host.lastIndexOf('.') + 1);
    // Resolvers read 127.1, 0177.0.0.1 and 2130706433 as addresses, each in its own way.
    boolean numeric = !host.contains(":") && NUMBER.matcher(last).matches();
    if (numeric && !(FOUR_NUMBERS.matcher(host).matches() && Literals.address(host).isPresent())) {
      return Optional.of("Write an IPv4 address as four decimal numbers, such as 192.168.1.20.");
    }
    return Optional.empty();
  }

  private static Optional<String> wrongPort(HttpUrl url) {
    int port = url.port();
    return port == HttpUrl.defaultPort(url.scheme()) || port >= 1024
        ? Optional.empty()
        : Optional.of(
            "Port %d is another service's: leave the port out, or use one from 1024 on."
                .formatted(port));
  }

  @Override
  public String toString() {
    return url.scheme() + "://" + host() + ":" + url.port();
  }
}
