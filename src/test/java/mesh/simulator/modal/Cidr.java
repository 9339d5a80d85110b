package mesh.simulator.modal;

import java.net.Inet4Address;
import java.net.InetAddress;

/** Blocks of addresses. */
final class Cidr {

  private Cidr() {}

  static void check(String block) {
    try {
      var parts = block.split("/", -1);
      var address = InetAddress.ofLiteral(parts[0]);
      var bits = parts.length == 2 ? Integer.parseInt(parts[1]) : -1;
      if (bits < 0 || bits > (address instanceof Inet4Address ? 32 : 128)) {
        throw new IllegalArgumentException();
      }
    } catch (IllegalArgumentException e) {
      throw Refusal.invalid("Invalid CIDR: " + block);
    }
  }
}
