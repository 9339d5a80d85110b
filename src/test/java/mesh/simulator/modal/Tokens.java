package mesh.simulator.modal;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Issues and checks the short-lived tokens: JWTs with a subject and an end. */
final class Tokens {

  private static final Pattern CLAIMS = Pattern.compile("\\{\"sub\":\"([^\"]*)\",\"exp\":(\\d+)}");
  private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();

  private final byte[] key = new byte[32];

  Tokens() {
    new SecureRandom().nextBytes(key);
  }

  /** Claims are in whole seconds: a token is good until the second in which it ends begins. */
  String issue(String subject, Instant now, Duration lifetime) {
    var end = now.plus(lifetime).getEpochSecond();
    var signed =
        encode("{\"alg\":\"HS256\",\"typ\":\"JWT\"}")
            + "."
            + encode("{\"sub\":\"%s\",\"exp\":%d}".formatted(subject, end));
    return signed + "." + ENCODER.encodeToString(signature(signed));
  }

  /** The subject of a token that is ours and has not ended. */
  Optional<String> subject(String token, Instant now) {
    var parts = token.split("\\.", -1);
    if (parts.length != 3) {
      return Optional.empty();
    }
    try {
      var signature = Base64.getUrlDecoder().decode(parts[2]);
      if (!MessageDigest.isEqual(signature(parts[0] + "." + parts[1]), signature)) {
        return Optional.empty();
      }
      var claims = CLAIMS.matcher(new String(Base64.getUrlDecoder().decode(parts[1]), UTF_8));
      return claims.matches() && now.getEpochSecond() < Long.parseLong(claims.group(2))
          ? Optional.of(claims.group(1))
          : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String encode(String json) {
    return ENCODER.encodeToString(json.getBytes(UTF_8));
  }

  private byte[] signature(String signed) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(signed.getBytes(UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
