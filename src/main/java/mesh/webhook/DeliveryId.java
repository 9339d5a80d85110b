package mesh.webhook;

import java.util.UUID;

/**
 * A row of {@code webhook_deliveries}: one thing to be told to one receiver. The receiver sees it
 * as {@code webhook-id} and as the payload's {@code id}, the same at each attempt.
 */
public record DeliveryId(UUID value) {

  @Override
  public String toString() {
    return value.toString();
  }
}
