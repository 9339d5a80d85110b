package mesh.webhook;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A delivery as the log tells it.
 *
 * @param event the payload's type
 * @param nextAttemptAt null unless it will be tried
 * @param lastStatus what the receiver answered last; null if nothing
 * @param lastError null after a delivery, and before the first attempt
 * @param payload JSON
 */
public record LoggedDelivery(
    DeliveryId id,
    String event,
    UUID run,
    DeliveryStatus status,
    Instant createdAt,
    int attempts,
    @Nullable Instant nextAttemptAt,
    @Nullable Instant lastAttemptAt,
    @Nullable Integer lastStatus,
    @Nullable String lastError,
    @Nullable Instant deliveredAt,
    String payload) {}
