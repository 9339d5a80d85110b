package mesh.webhook;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import mesh.activity.ActorId;
import mesh.outbound.Destination;
import mesh.outbound.OutboundGuard;
import mesh.secret.Secret;
import mesh.web.Cursor;
import mesh.web.Limit;
import mesh.web.Page;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;

/** The receivers that are told of runs: who they are, and the log of what they were told. */
@Service
public class Webhooks {

  /** Webhooks there may be. Each may have a few calls under way, so this bounds them all. */
  public static final int MOST = 50;

  private final WebhookRepository rows;
  private final DeliveryLogRepository deliveries;
  private final WebhookChanges changes;
  private final Caller caller;
  private final Payloads payloads;
  private final Dispatcher dispatcher;
  private final OutboundGuard guard;
  private final RandomGenerator random;
  private final Supplier<UUID> ids;
  private final Clock clock;

  Webhooks(
      WebhookRepository rows,
      DeliveryLogRepository deliveries,
      WebhookChanges changes,
      Caller caller,
      Payloads payloads,
      Dispatcher dispatcher,
      OutboundGuard guard,
      RandomGenerator random,
      Supplier<UUID> ids,
      Clock clock) {
    this.rows = rows;
    this.deliveries = deliveries;
    this.changes = changes;
    this.caller = caller;
    this.payloads = payloads;
    this.dispatcher = dispatcher;
    this.guard = guard;
    this.random = random;
    this.ids = ids;
    this.clock = clock;
  }

  /** In alphabetical order. */
  public List<Webhook> all() {
    return rows.all();
  }

  /**
   * @throws Problem 404 {@code webhook_unknown}
   */
  public Webhook get(WebhookId id) {
    return rows.find(id).orElseThrow(() -> unknown(id));
  }

  /** How many need a person, since they failed for days or are gone. */
  public int stopped() {
    return rows.stopped();
  }

  /**
   * Adds a webhook. Waits for the DNS.
   *
   * @param secret null for one that Mesh makes
   * @throws Problem 400 {@code webhook_invalid}, {@code webhook_url_refused} or {@code
   *     agent_unknown}; 409 {@code webhook_name_taken} or {@code webhooks_too_many}
   */
  public WebhookSecret create(WebhookDraft draft, @Nullable Secret secret, ActorId by) {
    var signing = secret == null ? SigningSecret.make(random) : SigningSecret.of(secret);
    var webhook = changes.create(checked(draft), signing, by);
    return new WebhookSecret(webhook, signing.text());
  }

  /**
   * Changes a webhook. Enabling one that was paused delivers what it missed. Waits for the DNS.
   *
   * @throws Problem as {@link #create}; 404 {@code webhook_unknown}
   */
  public Webhook change(WebhookId id, UnaryOperator<WebhookDraft> change, ActorId by) {
    var before = draft(get(id));
    var after = change.apply(before);
    boolean elsewhere =
        !after.url().equals(before.url()) || after.allowPrivate() != before.allowPrivate();
    var changed = changes.change(id, elsewhere ? checked(after) : after, by);
    dispatcher.wake();
    return changed;
  }

  /**
   * Sets a new secret. For 24 hours calls are signed with the one before too.
   *
   * @param secret null for one that Mesh makes
   * @throws Problem 400 {@code webhook_invalid}, 404 {@code webhook_unknown}
   */
  public WebhookSecret rotate(WebhookId id, @Nullable Secret secret, ActorId by) {
    var signing = secret == null ? SigningSecret.make(random) : SigningSecret.of(secret);
    return new WebhookSecret(changes.rotate(id, signing, by), signing.text());
  }

  /**
   * Deletes a webhook and its log.
   *
   * @throws Problem 404 {@code webhook_unknown}
   */
  public void delete(WebhookId id, ActorId by) {
    changes.delete(id, by);
  }

  /**
   * Sends a {@code ping} now, whether the webhook is enabled or not, and waits for the answer.
   *
   * @throws Problem 404 {@code webhook_unknown}
   */
  public PingResult test(WebhookId id, ActorId by) {
    var webhook = get(id);
    var target = rows.target(id, clock.instant()).orElseThrow(() -> unknown(id));
    var ping = ids.get();
    var body = payloads.body(ping, "ping", clock.instant(), payloads.ping(id, webhook.name()));
    long begun = System.nanoTime();
    var answer = caller.call(target, ping.toString(), body);
    long millis = NANOSECONDS.toMillis(System.nanoTime() - begun);
    var result =
        switch (answer) {
          case Answer.Taken(int status) -> new PingResult(true, status, null, millis);
          case Answer.Gone(var error) -> new PingResult(false, 410, error, millis);
          case Answer.NotTaken(var status, var error, _, _) ->
              new PingResult(false, status, error, millis);
        };
    changes.tested(webhook, result, by);
    return result;
  }

  /**
   * What it was told and is to be told, newest first.
   *
   * @param status null for all
   * @throws Problem 404 {@code webhook_unknown}
   */
  public Page<LoggedDelivery> deliveries(
      WebhookId id, @Nullable DeliveryStatus status, @Nullable Cursor cursor, Limit limit) {
    get(id);
    return Page.of(
        deliveries.newest(id, status, cursor, limit.toFetch()),
        limit,
        delivery -> Cursor.after(delivery.createdAt(), delivery.id().value()));
  }

  /**
   * Tells it once more, with all attempts before it, whatever came of it.
   *
   * @throws Problem 404 {@code webhook_unknown} or {@code delivery_unknown}; 409 {@code
   *     webhook_not_active} or {@code delivery_in_flight}
   */
  public LoggedDelivery redeliver(WebhookId id, DeliveryId delivery, ActorId by) {
    var again = changes.redeliver(id, delivery, by);
    dispatcher.wake();
    return again;
  }

  /** What people decided about it. One that was paused or is gone is not enabled. */
  static WebhookDraft draft(Webhook webhook) {
    Set<EventType> events = EnumSet.noneOf(EventType.class);
    events.addAll(webhook.events());
    return new WebhookDraft(
        webhook.name(),
        webhook.url(),
        webhook.allowPrivate(),
        events,
        webhook.agents(),
        webhook.state() == WebhookState.ACTIVE);
  }

  static Problem unknown(WebhookId id) {
    return Problem.notFound("webhook_unknown", "There is no webhook " + id + ".");
  }

  static Problem unknown(DeliveryId id) {
    return Problem.notFound("delivery_unknown", "This webhook has no delivery " + id + ".");
  }

  private WebhookDraft checked(WebhookDraft draft) {
    Destination destination;
    try {
      destination = Destination.of(draft.url(), draft.allowPrivate());
    } catch (IllegalArgumentException refused) {
      throw refused(String.valueOf(refused.getMessage()));
    }
    guard
        .objection(destination)
        .ifPresent(sentence -> {
          throw refused(sentence);
        });
    return new WebhookDraft(
        draft.name(),
        destination.uri().toString(),
        draft.allowPrivate(),
        draft.events(),
        draft.agents(),
        draft.enabled());
  }

  private static Problem refused(String sentence) {
    return Problem.badRequest("webhook_url_refused", sentence).with("pointer", "/url");
  }
}
