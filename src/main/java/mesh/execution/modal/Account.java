package mesh.execution.modal;

import io.grpc.Metadata;
import java.net.URI;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import modal.client.ClientType;

/**
 * Where the vendor answers and what it lets us in with.
 *
 * @param base the control plane; an address with {@code http} is of this machine
 * @param tokenSecret opaque; never part of {@link #toString} or of a message
 */
record Account(URI base, String tokenId, String tokenSecret) {

  private static final Set<String> THIS_MACHINE = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Pattern JWT =
      Pattern.compile("[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}");

  /** The version of the vendor's own clients whose behaviour this is. */
  private static final String VERSION = "1.0.0";

  /** The address if it is one that a token may be sent to: nobody else listens to it. */
  static Optional<URI> address(String text) {
    try {
      var base = URI.create(text.strip());
      boolean plain = "http".equals(base.getScheme());
      boolean bare = base.getRawUserInfo() == null && base.getRawQuery() == null;
      return base.getHost() != null
              && bare
              && base.getPath().replace("/", "").isEmpty()
              && (plain ? THIS_MACHINE.contains(base.getHost()) : "https".equals(base.getScheme()))
          ? Optional.of(base)
          : Optional.empty();
    } catch (IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  /** As the vendor's own clients have it: theirs too speak plaintext to a simulator's router. */
  boolean isOfThisMachine() {
    return THIS_MACHINE.contains(base.getHost());
  }

  /** What every call to the control plane carries. */
  Metadata headers() {
    var headers = new Metadata();
    headers.put(
        key("x-modal-client-type"), Integer.toString(ClientType.CLIENT_TYPE_LIBMODAL_VALUE));
    headers.put(key("x-modal-client-version"), VERSION);
    headers.put(key("x-modal-token-id"), tokenId);
    headers.put(key("x-modal-token-secret"), tokenSecret);
    return headers;
  }

  static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }

  /** The vendor's words without anything that lets somebody in, in case it echoes what was sent. */
  String cleaned(String words) {
    var known = words.replace(tokenSecret, "[secret]").replace(tokenId, "[token]");
    return JWT.matcher(known).replaceAll("[secret]");
  }

  @Override
  public String toString() {
    return "Account[" + base.getHost() + "]";
  }
}
