package mesh.webhook;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.random.RandomGenerator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import mesh.secret.Secret;

/**
 * The key that one webhook's calls are signed with, symmetric as in <a
 * href="https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md">Standard
 * Webhooks 1.0.0</a>, "Signature scheme": 24 to 64 bytes, written as {@code whsec_} and base64; a
 * signature is {@code v1,} and the base64 of HMAC-SHA256 over {@code id.timestamp.body}.
 */
final class SigningSecret {

  private static final String PREFIX = "whsec_";
  private static final int FEWEST = 24;
  private static final int MOST = 64;
  private static final int MADE = 32;
  private static final String ALGORITHM = "HmacSHA256";

  private final Secret text;

  private SigningSecret(Secret text) {
    this.text = text;
  }

  static SigningSecret make(RandomGenerator random) {
    var bytes = new byte[MADE];
    random.nextBytes(bytes);
    return new SigningSecret(Secret.of(PREFIX + Base64.getEncoder().encodeToString(bytes)));
  }

  /**
   * @throws mesh.web.Problem 400 {@code webhook_invalid}
   */
  static SigningSecret of(Secret text) {
    var secret = new SigningSecret(text);
    if (!secret.isOne()) {
      throw WebhookDraft.invalid(
          "secret", "must be whsec_ and the base64 of %d to %d bytes".formatted(FEWEST, MOST));
    }
    return secret;
  }

  /** As it was stored. */
  static SigningSecret stored(Secret text) {
    return new SigningSecret(text);
  }

  Secret text() {
    return text;
  }

  /**
   * @param id without a dot
   * @param timestamp of the attempt, in seconds since 1970
   */
  String signature(String id, long timestamp, byte[] body) {
    try {
      var mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key(), ALGORITHM));
      mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
      return "v1," + Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean isOne() {
    if (!text.reveal().startsWith(PREFIX)) {
      return false;
    }
    try {
      int length = key().length;
      return length >= FEWEST && length <= MOST;
    } catch (IllegalArgumentException notBase64) {
      return false;
    }
  }

  private byte[] key() {
    return Base64.getDecoder().decode(text.reveal().substring(PREFIX.length()).getBytes(US_ASCII));
  }

  @Override
  public String toString() {
    return "[secret]";
  }
}
