package mesh.outbound;

import java.net.InetAddress;

/**
 * How far an address is reached, by the registries of special-purpose addresses (RFC 6890 and those
 * after it).
 */
enum Reach {
  /** Anybody's. */
  PUBLIC,
  /** This machine, or a network that is not everybody's: only where an operator allowed it. */
  PRIVATE,
  /**
   * Nobody's service: metadata of clouds, which hand out keys to whoever can ask; link-local,
   * multicast, unspecified and reserved addresses. Never, whatever was allowed.
   */
  NEVER;

  /**
   * An IPv4 address within an IPv6 one counts as what it is: a translator on the way would deliver
   * there.
   */
  static Reach of(InetAddress address) {
    var bytes = address.getAddress();
    return bytes.length == 4 ? ofFour(bytes) : ofSixteen(bytes);
  }

  private static Reach ofFour(byte[] bytes) {
    int a = bytes[0] & 0xff;
    int b = bytes[1] & 0xff;
    int c = bytes[2] & 0xff;
    int d = bytes[3] & 0xff;
    return switch (a) {
      case 0 -> NEVER;
      case 10, 127 -> PRIVATE;
      case 100 -> {
        if (b == 100 && c == 100 && d == 200) {
          yield NEVER; // Alibaba Cloud's metadata
        }
        yield (b & 0xc0) == 64 ? PRIVATE : PUBLIC;
      }
      case 168 -> b == 63 && c == 129 && d == 16 ? NEVER : PUBLIC; // Azure's wire server
      case 169 -> b == 254 ? NEVER : PUBLIC;
      case 172 -> (b & 0xf0) == 16 ? PRIVATE : PUBLIC;
      case 192 -> {
        if (b == 168) {
          yield PRIVATE;
        }
        // protocol assignments with Oracle Cloud's metadata, documentation, the relays of 6to4
        yield (b == 0 && (c == 0 || c == 2)) || (b == 88 && c == 99) ? NEVER : PUBLIC;
      }
      case 198 -> (b & 0xfe) == 18 || (b == 51 && c == 100) ? NEVER : PUBLIC;
      case 203 -> b == 0 && c == 113 ? NEVER : PUBLIC;
      default -> a >= 224 ? NEVER : PUBLIC;
    };
  }

  private static Reach ofSixteen(byte[] bytes) {
    if (zeros(bytes, 0, 15) && bytes[15] == 1) {
      return PRIVATE;
    }
    if (zeros(bytes, 0, 10) && word(bytes, 10) == 0xffff) {
      return four(bytes, 12);
    }
    if (word(bytes, 0) == 0x64 && word(bytes, 2) == 0xff9b && zeros(bytes, 4, 12)) {
      return four(bytes, 12);
    }
    if (word(bytes, 0) == 0x2002) {
      return four(bytes, 2);
    }
    if ((bytes[0] & 0xfe) == 0xfc) {
      return uniqueLocal(bytes);
    }
    // Only 2000::/3 was ever given out, less Teredo with the other protocols, and documentation.
    boolean global = (bytes[0] & 0xe0) == 0x20;
    boolean protocols = word(bytes, 0) == 0x2001 && word(bytes, 2) < 0x200;
    boolean documentation =
        (word(bytes, 0) == 0x2001 && word(bytes, 2) == 0xdb8)
            || (word(bytes, 0) & 0xfff0) == 0x3ff0;
    return global && !protocols && !documentation ? PUBLIC : NEVER;
  }

  /** Two clouds have put their metadata among these: Amazon's fd00:ec2::, Google's fd20:ce::. */
  private static Reach uniqueLocal(byte[] bytes) {
    boolean amazon = word(bytes, 0) == 0xfd00 && word(bytes, 2) == 0xec2;
    boolean google = word(bytes, 0) == 0xfd20 && word(bytes, 2) == 0xce;
    return amazon || google ? NEVER : PRIVATE;
  }

  private static Reach four(byte[] bytes, int at) {
    return ofFour(new byte[] {bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]});
  }

  private static int word(byte[] bytes, int at) {
    return ((bytes[at] & 0xff) << 8) | (bytes[at + 1] & 0xff);
  }

  private static boolean zeros(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }
}
