package mesh.webhook;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;
import mesh.secret.Secret;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/** How webhooks look over HTTP. Fields nobody knows are refused. */
final class WebhookBodies {

  private WebhookBodies() {}

  /** Agents, allow_private, enabled and secret may be left out. */
  record Creation(
      @Nullable String name,
      @Nullable String url,
      @Nullable List<String> events,
      @Nullable JsonNode agents,
      @Nullable Boolean allowPrivate,
      @Nullable Boolean enabled,
      @Nullable Secret secret) {

    WebhookDraft draft() {
      if (name == null) {
        throw WebhookDraft.invalid("name", "is missing");
      }
      if (url == null) {
        throw WebhookDraft.invalid("url", "is missing");
      }
      if (events == null) {
        throw WebhookDraft.invalid("events", "is missing");
      }
      return new WebhookDraft(
          name,
          url,
          allowPrivate != null && allowPrivate,
          WebhookBodies.events(events),
          WebhookBodies.agents(agents),
          enabled == null || enabled);
    }
  }

  /** What is left out stays; {@code agents} of null means all. */
  record Change(
      @Nullable String name,
      @Nullable String url,
      @Nullable List<String> events,
      @Nullable JsonNode agents,
      @Nullable Boolean allowPrivate,
      @Nullable Boolean enabled)
      implements UnaryOperator<WebhookDraft> {

    @Override
    public WebhookDraft apply(WebhookDraft before) {
      return new WebhookDraft(
          name == null ? before.name() : name,
          url == null ? before.url() : url,
          allowPrivate == null ? before.allowPrivate() : allowPrivate,
          events == null ? before.events() : WebhookBodies.events(events),
          agents == null ? before.agents() : WebhookBodies.agents(agents),
          enabled == null ? before.enabled() : enabled);
    }
  }

  /** A secret to rotate to; without one, Mesh makes it. */
  record Rotation(@Nullable Secret secret) {}

  /**
   * @param agents null for all
   * @param secret only in the answer that sets one that Mesh made
   */
  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record WebhookAnswer(
      UUID id,
      String name,
      String url,
      List<String> events,
      @Nullable List<String> agents,
      boolean allowPrivate,
      boolean enabled,
      String state,
      @Nullable String stateReason,
      @Nullable Instant failingSince,
      Instant secretSetAt,
      @Nullable Instant previousSecretUntil,
      Instant createdAt,
      String createdBy,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String secret) {

    static WebhookAnswer of(Webhook webhook) {
      return of(webhook, null);
    }

    static WebhookAnswer of(Webhook webhook, @Nullable String secret) {
      return new WebhookAnswer(
          webhook.id().value(),
          webhook.name(),
          webhook.url(),
          webhook.events().stream().map(EventType::word).toList(),
          webhook.agents().isEmpty() ? null : webhook.agents(),
          webhook.allowPrivate(),
          webhook.state() == WebhookState.ACTIVE,
          webhook.state().word(),
          webhook.stateReason(),
          webhook.failingSince(),
          webhook.secretSetAt(),
          webhook.previousSecretUntil(),
          webhook.createdAt(),
          webhook.createdBy(),
          secret);
    }

    @Override
    public String toString() {
      return "WebhookAnswer[" + id + "]";
    }
  }

  @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
  record DeliveryAnswer(
      UUID id,
      String event,
      UUID run,
      String status,
      Instant createdAt,
      int attempts,
      @Nullable Instant nextAttemptAt,
      @Nullable Instant lastAttemptAt,
      @Nullable Integer lastStatus,
      @Nullable String lastError,
      @Nullable Instant deliveredAt,
      @JsonRawValue String payload) {

    static DeliveryAnswer of(LoggedDelivery delivery) {
      return new DeliveryAnswer(
          delivery.id().value(),
          delivery.event(),
          delivery.run(),
          delivery.status().word(),
          delivery.createdAt(),
          delivery.attempts(),
          delivery.nextAttemptAt(),
          delivery.lastAttemptAt(),
          delivery.lastStatus(),
          delivery.lastError(),
          delivery.deliveredAt(),
          delivery.payload());
    }
  }

  private static Set<EventType> events(List<String> words) {
    Set<EventType> events = EnumSet.noneOf(EventType.class);
    for (var word : words) {
      events.add(
          EventType.of(String.valueOf(word))
              .orElseThrow(() ->
                  WebhookDraft.invalid("events", "names '%s', which is none".formatted(word))));
    }
    return events;
  }

  private static List<String> agents(@Nullable JsonNode slugs) {
    if (slugs == null || slugs.isNull()) {
      return List.of();
    }
    List<String> agents = new ArrayList<>();
    for (var slug : slugs) {
      if (!slug.isString()) {
        throw WebhookDraft.invalid("agents", "must be a list of slugs, or null for all");
      }
      agents.add(slug.stringValue());
    }
    // An empty list would be "none" to whoever wrote it and "all" to us.
    if (agents.isEmpty()) {
      throw WebhookDraft.invalid("agents", "must be a list of slugs, or null for all");
    }
    return agents;
  }
}
