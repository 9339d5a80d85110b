package mesh.webhook;

import mesh.secret.Place;
import mesh.secret.SealedText;
import mesh.secret.Sealer;
import org.springframework.stereotype.Component;

/**
 * Signing secrets on their way into the database and out of it. Each opens for its webhook alone.
 */
@Component
class SealedSecrets {

  private final Sealer sealer;

  SealedSecrets(Sealer sealer) {
    this.sealer = sealer;
  }

  SealedText seal(WebhookId webhook, SigningSecret secret) {
    return sealer.seal(secret.text(), place(webhook));
  }

  /**
   * @throws mesh.secret.SealBroken if it was not sealed for this webhook by this keyset
   */
  SigningSecret open(WebhookId webhook, SealedText sealed) {
    return SigningSecret.stored(sealer.open(sealed, place(webhook)));
  }

  /** One place for both columns: a rotation moves the secret from one to the other. */
  private static Place place(WebhookId webhook) {
    return new Place("webhooks", "secret", webhook.toString(), "webhook");
  }
}
