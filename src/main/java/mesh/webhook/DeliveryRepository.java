package mesh.webhook;

import static mesh.webhook.WebhookRepository.utc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import mesh.agent.AgentId;
import mesh.run.RunId;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * What is to be told. When something is due goes by Mesh's clock, since it need not be exact;
 * claims go by the database's, since servers whose clocks differ must agree on them. A claim has a
 * fence: whoever lost it to another can record nothing any more.
 */
@Repository
class DeliveryRepository {

  /** An earlier delivery about the same run holds the later ones back for so many attempts. */
  static final int PATIENCE = 3;

  private static final String UNCLAIMED =
      """
      (d.claimed_until is null or d.claimed_until < clock_timestamp()
       or exists (select
                    from instances i
                   where i.id = d.claimed_by and i.lease_until < clock_timestamp()))
      """;

  private final JdbcClient jdbc;

  DeliveryRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Who wants to be told; also who is paused, to be told later. */
  List<WebhookId> subscribed(EventType event, AgentId agent) {
    return jdbc.sql(
            """
            select id
              from webhooks
             where state in ('active', 'paused') and deleted_at is null
               and :event = any(events) and (agents is null or :agent = any(agents))
             order by id
            """)
        .param("event", event.word())
        .param("agent", agent.value())
        .query((row, _) -> new WebhookId(row.getObject("id", UUID.class)))
        .list();
  }

  void insert(
      DeliveryId id, WebhookId webhook, RunId run, EventType event, String payload, Instant now) {
    jdbc.sql(
            """
            insert into webhook_deliveries (id, webhook_id, run_id, event, payload, created_at,
                                            next_attempt_at)
            values (:id, :webhook, :run, :event, cast(:payload as json), :now, :now)
            """)
        .param("id", id.value())
        .param("webhook", webhook.value())
        .param("run", run.value())
        .param("event", event.word())
        .param("payload", payload)
        .param("now", utc(now))
        .update();
  }

  /** Webhooks to which something is due that nobody is at. */
  List<WebhookId> due(Instant now) {
    return jdbc.sql(
            """
            select w.id
              from webhooks w
             where w.state = 'active' and w.deleted_at is null
               and (w.resting_until is null or w.resting_until <= :now)
               and exists (select
                             from webhook_deliveries d
                            where d.webhook_id = w.id and d.status in ('pending', 'failed')
                              and d.next_attempt_at <= :now
                              and %s)
            """
                .formatted(UNCLAIMED))
        .param("now", utc(now))
        .query((row, _) -> new WebhookId(row.getObject("id", UUID.class)))
        .list();
  }

  /**
   * Claims what is due of one webhook until {@code claim} from now; concurrent callers get
   * different rows, and of one run one at a time, in order. Attempts are counted before the call,
   * so that a row that breaks its caller shows.
   */
  List<ClaimedDelivery> claim(WebhookId webhook, UUID by, Duration claim, int limit, Instant now) {
    return jdbc.sql(
            """
            with claimed as (
              select d.id
                from webhook_deliveries d
                join webhooks w on w.id = d.webhook_id
               where d.webhook_id = :webhook and d.status in ('pending', 'failed')
                 and d.next_attempt_at <= :now
                 and w.state = 'active' and w.deleted_at is null
                 and (w.resting_until is null or w.resting_until <= :now)
                 and %s
                 and not exists (select
                                   from webhook_deliveries e
                                  where e.webhook_id = d.webhook_id and e.run_id = d.run_id
                                    and e.status in ('pending', 'failed')
                                    and e.position < d.position
                                    and (e.attempts < :patience
                                         or e.claimed_until >= clock_timestamp()))
               order by d.next_attempt_at, d.position
               limit :limit
                 for update of d skip locked)
            update webhook_deliveries d
               set claimed_by = :by, fence = d.fence + 1, attempts = d.attempts + 1,
                   claimed_until = clock_timestamp() + :millis * interval '1 millisecond',
                   last_attempt_at = :now
              from claimed
              join webhook_deliveries c on c.id = claimed.id
              join webhooks w on w.id = c.webhook_id
             where d.id = claimed.id
            returning d.id, d.run_id, d.event, d.payload::text as payload, d.attempts, d.fence,
                      w.id as webhook_id, w.name, w.url, w.allow_private, w.secret,
                      case when w.previous_secret_until > :now then w.previous_secret end as previous
            """
                .formatted(UNCLAIMED))
        .param("webhook", webhook.value())
        .param("by", by)
        .param("millis", claim.toMillis())
        .param("limit", limit)
        .param("patience", PATIENCE)
        .param("now", utc(now))
        .query(DeliveryRepository::claimed)
        .list();
  }

  /** False, and nothing changes, if the claim was lost. */
  boolean delivered(ClaimedDelivery delivery, int status, Instant now) {
    return jdbc.sql(
                """
                update webhook_deliveries
                   set status = 'delivered', delivered_at = :now, next_attempt_at = null,
                       claimed_until = null, last_status = :answer, last_error = null
                 where id = :id and fence = :fence and status in ('pending', 'failed')
                """)
            .param("id", delivery.id().value())
            .param("fence", delivery.fence())
            .param("answer", status)
            .param("now", utc(now))
            .update()
        == 1;
  }

  /**
   * False, and nothing changes, if the claim was lost.
   *
   * @param status what was answered; null if nothing was
   * @param next when to try again; null for never
   */
  boolean failed(
      ClaimedDelivery delivery, @Nullable Integer status, String error, @Nullable Instant next) {
    return jdbc.sql(
                """
                update webhook_deliveries
                   set status = case when cast(:next as timestamptz) is null then 'given_up' else 'failed' end,
                       next_attempt_at = :next, claimed_until = null,
                       last_status = :answer, last_error = :error
                 where id = :id and fence = :fence and status in ('pending', 'failed')
                """)
            .param("id", delivery.id().value())
            .param("fence", delivery.fence())
            .param("answer", status)
            .param("error", error)
            .param("next", next == null ? null : utc(next), java.sql.Types.TIMESTAMP_WITH_TIMEZONE)
            .update()
        == 1;
  }

  /** It works again. */
  void works(WebhookId webhook) {
    jdbc.sql(
            """
            update webhooks
               set failing_since = null, resting_until = null
             where id = :id and (failing_since is not null or resting_until is not null)
            """)
        .param("id", webhook.value())
        .update();
  }

  /** Since when it fails, this time included; empty if it is not active any more. */
  Optional<Instant> fails(WebhookId webhook, Instant now) {
    return jdbc.sql(
            """
            update webhooks
               set failing_since = coalesce(failing_since, :now)
             where id = :id and state = 'active'
            returning failing_since
            """)
        .param("id", webhook.value())
        .param("now", utc(now))
        .query((row, _) -> row.getObject(1, OffsetDateTime.class).toInstant())
        .optional();
  }

  void rest(WebhookId webhook, Instant until) {
    jdbc.sql(
            """
            update webhooks
               set resting_until = greatest(:until, resting_until)
             where id = :id
            """)
        .param("id", webhook.value())
        .param("until", utc(until))
        .update();
  }

  /** False if it was not active any more. */
  boolean stop(WebhookId webhook, WebhookState state, String reason) {
    return jdbc.sql(
                """
                update webhooks
                   set state = :state, state_reason = :reason
                 where id = :id and state = 'active'
                """)
            .param("id", webhook.value())
            .param("state", state.word())
            .param("reason", reason)
            .update()
        == 1;
  }

  /** Nothing of it will be tried any more. */
  int giveUp(WebhookId webhook, String error) {
    return jdbc.sql(
            """
            update webhook_deliveries
               set status = 'given_up', next_attempt_at = null, last_error = :error
             where webhook_id = :id and status in ('pending', 'failed')
            """)
        .param("id", webhook.value())
        .param("error", error)
        .update();
  }

  private static ClaimedDelivery claimed(ResultSet row, int number) throws SQLException {
    return new ClaimedDelivery(
        new DeliveryId(row.getObject("id", UUID.class)),
        WebhookRepository.target(row, number),
        new RunId(row.getObject("run_id", UUID.class)),
        row.getString("event"),
        row.getString("payload"),
        row.getInt("attempts"),
        row.getLong("fence"));
  }
}
