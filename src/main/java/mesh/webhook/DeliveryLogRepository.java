package mesh.webhook;

import static mesh.webhook.WebhookRepository.instant;
import static mesh.webhook.WebhookRepository.utc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import mesh.web.Cursor;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Deliveries as people look at them. */
@Repository
class DeliveryLogRepository {

  private static final String SELECT =
      """
      select id, event, run_id, status, created_at, attempts, next_attempt_at, last_attempt_at,
             last_status, last_error, delivered_at, payload::text as payload
        from webhook_deliveries
       where webhook_id = :webhook
      """;

  private final JdbcClient jdbc;

  DeliveryLogRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Newest first, those after the cursor if one is given, of one status if one is given. */
  List<LoggedDelivery> newest(
      WebhookId webhook, @Nullable DeliveryStatus status, @Nullable Cursor cursor, int limit) {
    return jdbc.sql(
            SELECT
                + """
                   and (cast(:status as text) is null or status = :status)
                   and (cast(:at as timestamptz) is null or (created_at, id) < (:at, :before))
                 order by created_at desc, id desc
                 limit :limit
                """)
        .param("webhook", webhook.value())
        .param("status", status == null ? null : status.word())
        .param("at", cursor == null ? null : utc(cursor.at()))
        .param("before", cursor == null ? null : cursor.uuid())
        .param("limit", limit)
        .query(DeliveryLogRepository::logged)
        .list();
  }

  Optional<LoggedDelivery> find(WebhookId webhook, DeliveryId id) {
    return jdbc.sql(SELECT + " and id = :id")
        .param("webhook", webhook.value())
        .param("id", id.value())
        .query(DeliveryLogRepository::logged)
        .optional();
  }

  /** Due at once, with all attempts before it. False while an attempt is being made. */
  boolean again(DeliveryId id, Instant now) {
    return jdbc.sql(
                """
                update webhook_deliveries
                   set status = 'pending', attempts = 0, next_attempt_at = :now,
                       delivered_at = null, claimed_until = null, fence = fence + 1
                 where id = :id
                   and (status in ('delivered', 'given_up')
                        or claimed_until is null or claimed_until < clock_timestamp())
                """)
            .param("id", id.value())
            .param("now", utc(now))
            .update()
        == 1;
  }

  /**
   * Removes up to {@code limit} that happened before {@code before} or belong to a deleted webhook;
   * returns how many it removed.
   */
  int forget(Instant before, int limit) {
    return jdbc.sql(
            """
            delete from webhook_deliveries
             where id in (
                   select d.id
                     from webhook_deliveries d
                    where d.created_at < :before
                       or d.webhook_id in (select w.id from webhooks w where w.deleted_at is not null)
                    limit :limit
                      for update skip locked)
            """)
        .param("before", utc(before))
        .param("limit", limit)
        .update();
  }

  private static LoggedDelivery logged(ResultSet row, int number) throws SQLException {
    return new LoggedDelivery(
        new DeliveryId(row.getObject("id", UUID.class)),
        row.getString("event"),
        row.getObject("run_id", UUID.class),
        DeliveryStatus.of(row.getString("status")).orElseThrow(),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getInt("attempts"),
        instant(row, "next_attempt_at"),
        instant(row, "last_attempt_at"),
        row.getObject("last_status", Integer.class),
        row.getString("last_error"),
        instant(row, "delivered_at"),
        row.getString("payload"));
  }
}
