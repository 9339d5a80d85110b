package mesh.secret;

import java.nio.ByteBuffer;
import java.util.Base64;

/**
 * A {@link Secret} as the database holds it: encrypted, and tied to its {@link Place}.
 *
 * @param encoded base64; to be stored as it is
 */
public record SealedText(String encoded) {

  // A version byte and the id of the key come before the ciphertext.
  private static final int PREFIX = 5;

  public SealedText {
    if (Base64.getDecoder().decode(encoded).length <= PREFIX) {
      throw new IllegalArgumentException("not a sealed text");
    }
  }

  /** Which key of the keyset sealed it. */
  public int keyId() {
    return ByteBuffer.wrap(bytes()).getInt(1);
  }

  byte[] bytes() {
    return Base64.getDecoder().decode(encoded);
  }

  static SealedText of(byte[] ciphertext) {
    return new SealedText(Base64.getEncoder().encodeToString(ciphertext));
  }

  @Override
  public String toString() {
    return "[sealed]";
  }
}
