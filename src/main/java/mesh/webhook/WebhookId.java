package mesh.webhook;

import java.util.UUID;

/** A row of {@code webhooks}. */
public record WebhookId(UUID value) {

  @Override
  public String toString() {
    return value.toString();
  }
}
