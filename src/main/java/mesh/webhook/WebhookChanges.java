package mesh.webhook;

import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Entry;
import mesh.agent.AgentId;
import mesh.agent.Agents;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/** What people change about webhooks, each with its entry in the audit. */
@Component
class WebhookChanges {

  /** How long calls are signed with the secret before a rotation too. */
  private static final Duration OVERLAP = Duration.ofHours(24);

  private final WebhookRepository rows;
  private final DeliveryLogRepository deliveries;
  private final SealedSecrets secrets;
  private final Agents agents;
  private final Activity activity;
  private final Supplier<UUID> ids;
  private final Clock clock;

  WebhookChanges(
      WebhookRepository rows,
      DeliveryLogRepository deliveries,
      SealedSecrets secrets,
      Agents agents,
      Activity activity,
      Supplier<UUID> ids,
      Clock clock) {
    this.rows = rows;
    this.deliveries = deliveries;
    this.secrets = secrets;
    this.agents = agents;
    this.activity = activity;
    this.ids = ids;
    this.clock = clock;
  }

  @Transactional
  public Webhook create(WebhookDraft draft, SigningSecret secret, ActorId by) {
    if (rows.all().size() >= Webhooks.MOST) {
      throw Problem.conflict(
          "webhooks_too_many",
          "There are %d webhooks, as many as there may be: delete one that nobody needs."
              .formatted(Webhooks.MOST));
    }
    var id = new WebhookId(ids.get());
    if (!rows.insert(
        id, draft, known(draft.agents()), secrets.seal(id, secret), by, clock.instant())) {
      throw taken(draft.name());
    }
    activity.record(Entry.of(by, "webhook.created").connection(draft.name()).after(told(draft)));
    return rows.find(id).orElseThrow();
  }

  /** A change that changes nothing leaves no trace, but for one that turns it on again. */
  @Transactional
  public Webhook change(WebhookId id, WebhookDraft after, ActorId by) {
    var webhook = rows.lock(id).orElseThrow(() -> Webhooks.unknown(id));
    if (!after.name().equals(webhook.name())
        && rows.all().stream().anyMatch(other -> other.name().equals(after.name()))) {
      throw taken(after.name());
    }
    var before = Webhooks.draft(webhook);
    rows.update(id, after);
    // One of them may have been deleted since, which must not keep anybody from other changes.
    if (!Set.copyOf(after.agents()).equals(Set.copyOf(before.agents()))) {
      rows.aim(id, known(after.agents()));
    }
    if (after.enabled() != (webhook.state() == WebhookState.ACTIVE)) {
      rows.turn(id, after.enabled() ? WebhookState.ACTIVE : WebhookState.DISABLED);
    }
    if (!told(before).equals(told(after))) {
      activity.record(
          Entry.of(by, "webhook.changed")
              .connection(after.name())
              .before(told(before))
              .after(told(after)));
    }
    return rows.find(id).orElseThrow();
  }

  @Transactional
  public Webhook rotate(WebhookId id, SigningSecret secret, ActorId by) {
    var webhook = rows.lock(id).orElseThrow(() -> Webhooks.unknown(id));
    var now = clock.instant();
    rows.rotate(id, secrets.seal(id, secret), now, now.plus(OVERLAP));
    activity.record(
        Entry.of(by, "webhook.secret_rotated")
            .connection(webhook.name())
            .after(Map.of("secret", Map.of("set", true))));
    return rows.find(id).orElseThrow();
  }

  @Transactional
  public void delete(WebhookId id, ActorId by) {
    var webhook = rows.lock(id).orElseThrow(() -> Webhooks.unknown(id));
    rows.delete(id, clock.instant());
    activity.record(
        Entry.of(by, "webhook.deleted")
            .connection(webhook.name())
            .before(told(Webhooks.draft(webhook))));
  }

  @Transactional
  public LoggedDelivery redeliver(WebhookId id, DeliveryId delivery, ActorId by) {
    var webhook = rows.lock(id).orElseThrow(() -> Webhooks.unknown(id));
    var logged = deliveries.find(id, delivery).orElseThrow(() -> Webhooks.unknown(delivery));
    if (webhook.state() != WebhookState.ACTIVE) {
      throw Problem.conflict(
          "webhook_not_active",
          "Webhook %s is %s: enable it first.".formatted(webhook.name(), webhook.state().word()));
    }
    if (!deliveries.again(delivery, clock.instant())) {
      throw Problem.conflict(
          "delivery_in_flight",
          "Delivery %s is being sent now: look again in a moment.".formatted(delivery));
    }
    activity.record(
        Entry.of(by, "webhook.redelivered")
            .connection(webhook.name())
            .run(logged.run())
            .after(Map.of("delivery", delivery.toString(), "event", logged.event())));
    return deliveries.find(id, delivery).orElseThrow();
  }

  @Transactional
  public void tested(Webhook webhook, PingResult result, ActorId by) {
    activity.record(Entry.of(by, "webhook.tested").connection(webhook.name()).after(result));
  }

  private List<AgentId> known(List<String> slugs) {
    return slugs.stream()
        .map(slug ->
            agents
                .find(slug)
                .orElseThrow(() ->
                    Problem.badRequest("agent_unknown", "There is no agent '" + slug + "'.")
                        .with("pointer", "/agents"))
                .id())
        .toList();
  }

  private static Map<String, @Nullable Object> told(WebhookDraft draft) {
    Map<String, @Nullable Object> told = new LinkedHashMap<>();
    told.put("url", draft.url());
    told.put("events", draft.eventWords());
    told.put("agents", draft.agents().isEmpty() ? null : draft.agents().stream().sorted().toList());
    told.put("allow_private", draft.allowPrivate());
    told.put("enabled", draft.enabled());
    told.put("name", draft.name());
    return told;
  }

  private static Problem taken(String name) {
    return Problem.conflict("webhook_name_taken", "There is a webhook %s already.".formatted(name));
  }
}
