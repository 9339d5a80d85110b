package mesh.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * What tokens look like: {@code mesh_pat_<43 base64url of 32 random bytes>_<crc32, 8 hex>}. The
 * prefix lets scanners find leaked ones; the checksum lets Mesh refuse a mistyped one without
 * asking the database.
 */
enum TokenKind {
  /** Held by an operator's program. */
  API("mesh_pat_"),

  /** Held by the agent of one run. */
  RUN("mesh_run_");

  private static final int RANDOM_BYTES = 32;

  private final String prefix;
  private final Pattern shape;

  TokenKind(String prefix) {
    this.prefix = prefix;
    this.shape = Pattern.compile(prefix + "[A-Za-z0-9_-]{43}_[0-9a-f]{8}");
  }

  PlainToken mint(SecureRandom random) {
    String body = prefix + randomText(random);
    return new PlainToken(body + "_" + checksum(body));
  }

  /** The hash to look it up by; empty if it cannot be a token of this kind. */
  Optional<byte[]> hash(String text) {
    if (!shape.matcher(text).matches()) {
      return Optional.empty();
    }
    int end = text.lastIndexOf('_');
    return checksum(text.substring(0, end)).equals(text.substring(end + 1))
        ? Optional.of(sha256(text))
        : Optional.empty();
  }

  /** 32 random bytes as text that needs no escaping in a URL. */
  static String randomText(SecureRandom random) {
    byte[] bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Enough for tokens: they are too random to be guessed, so a slow hash would add nothing. */
  static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static String checksum(String body) {
    CRC32 crc = new CRC32();
    crc.update(body.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().toHexDigits((int) crc.getValue());
  }
}
