package mesh.outbound;

import java.net.InetAddress;
import java.util.Optional;

/** Addresses written in place of a host's name. */
final class Literals {

  private Literals() {}

  /**
   * @param host as {@link okhttp3.HttpUrl#host} has it, and no number in another form
   */
  static Optional<InetAddress> address(String host) {
    if (!host.contains(":") && !Character.isDigit(host.charAt(host.length() - 1))) {
      return Optional.empty();
    }
    try {
      return Optional.of(InetAddress.ofLiteral(host));
    } catch (IllegalArgumentException name) {
      return Optional.empty();
    }
  }
}
