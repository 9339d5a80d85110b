package mesh.webhook;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A receiver and what it is told; of its secret only when it was set.
 *
 * @param agents slugs of those whose runs it is told of; empty for all
 * @param stateReason why it is paused or gone; null otherwise
 * @param failingSince the first failure after the last delivery; null while it works
 * @param previousSecretUntil until when calls are signed with the secret before too; null if with
 *     one only
 */
public record Webhook(
    WebhookId id,
    String name,
    String url,
    boolean allowPrivate,
    List<EventType> events,
    List<String> agents,
    WebhookState state,
    @Nullable String stateReason,
    @Nullable Instant failingSince,
    Instant secretSetAt,
    @Nullable Instant previousSecretUntil,
    Instant createdAt,
    String createdBy) {

  public Webhook {
    events = List.copyOf(events);
    agents = List.copyOf(agents);
  }
}
