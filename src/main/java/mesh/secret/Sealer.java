package mesh.secret;

import com.google.crypto.tink.Aead;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

/** Encrypts secrets for the database and decrypts them again: AES-256-GCM, bound to a place. */
public final class Sealer {

  private final Aead aead;

  Sealer(Keyring keyring) {
    this.aead = keyring.aead();
  }

  public SealedText seal(Secret secret, Place place) {
    try {
      return SealedText.of(
          aead.encrypt(secret.reveal().getBytes(StandardCharsets.UTF_8), place.associatedData()));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("could not seal the secret for " + place, e);
    }
  }

  /**
   * @throws SealBroken if it was not sealed for this place by this keyset
   */
  public Secret open(SealedText sealed, Place place) {
    try {
      return Secret.of(
          new String(aead.decrypt(sealed.bytes(), place.associatedData()), StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new SealBroken(place, e);
    }
  }
}
