package mesh.webhook;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import mesh.activity.ActorId;
import mesh.agent.AgentId;
import mesh.secret.SealedText;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Webhooks. Those that were deleted are nobody's any more. */
@Repository
class WebhookRepository {

  private static final String SELECT =
      """
      select w.id, w.name, w.url, w.allow_private, w.events, w.state, w.state_reason,
             array(select a.slug
                     from runtime_agents a
                    where a.id = any(w.agents)
                    order by a.slug) as slugs,
             w.failing_since, w.secret_set_at, w.previous_secret_until, w.created_at,
             c.name as created_by_name
        from webhooks w
        join actors c on c.id = w.created_by
       where w.deleted_at is null
      """;

  private final JdbcClient jdbc;

  WebhookRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** In alphabetical order. */
  List<Webhook> all() {
    return jdbc.sql(SELECT + " order by w.name, w.id").query(WebhookRepository::webhook).list();
  }

  Optional<Webhook> find(WebhookId id) {
    return jdbc.sql(SELECT + " and w.id = :id")
        .param("id", id.value())
        .query(WebhookRepository::webhook)
        .optional();
  }

  /** As {@link #find}, and nobody else changes it until the transaction ends. */
  Optional<Webhook> lock(WebhookId id) {
    // The kind of lock that runs about to tell it something do not wait for.
    return jdbc.sql(SELECT + " and w.id = :id for no key update of w")
        .param("id", id.value())
        .query(WebhookRepository::webhook)
        .optional();
  }

  /** How many webhooks need a person: paused after failing for days, or gone. */
  int stopped() {
    return jdbc.sql(
            """
            select count(*)
              from webhooks
             where state in ('paused', 'gone') and deleted_at is null
            """)
        .query(Integer.class)
        .single();
  }

  /** False if there is one of that name. */
  boolean insert(
      WebhookId id,
      WebhookDraft draft,
      List<AgentId> agents,
      SealedText secret,
      ActorId by,
      Instant now) {
    return jdbc.sql(
                """
                insert into webhooks (id, name, url, allow_private, events, agents, state, secret,
                                      secret_set_at, created_at, created_by)
                values (:id, :name, :url, :private, cast(:events as text[]),
                        cast(:agents as uuid[]), :state, :secret, :now, :now, :by)
                on conflict (name) where deleted_at is null do nothing
                """)
            .param("id", id.value())
            .param("name", draft.name())
            .param("url", draft.url())
            .param("private", draft.allowPrivate())
            .param("events", draft.eventWords().toArray(String[]::new))
            .param("agents", uuids(agents), Types.ARRAY)
            .param("state", state(draft).word())
            .param("secret", secret.encoded())
            .param("now", utc(now))
            .param("by", by.value())
            .update()
        == 1;
  }

  /** Of a locked row; not whose runs it is told of. */
  void update(WebhookId id, WebhookDraft draft) {
    jdbc.sql(
            """
            update webhooks
               set name = :name, url = :url, allow_private = :private,
                   events = cast(:events as text[])
             where id = :id
            """)
        .param("id", id.value())
        .param("name", draft.name())
        .param("url", draft.url())
        .param("private", draft.allowPrivate())
        .param("events", draft.eventWords().toArray(String[]::new))
        .update();
  }

  /** Of a locked row. */
  void aim(WebhookId id, List<AgentId> agents) {
    jdbc.sql(
            """
            update webhooks
               set agents = cast(:agents as uuid[])
             where id = :id
            """)
        .param("id", id.value())
        .param("agents", uuids(agents), Types.ARRAY)
        .update();
  }

  /** Begins anew: what failed before counts no more. */
  void turn(WebhookId id, WebhookState state) {
    jdbc.sql(
            """
            update webhooks
               set state = :state, state_reason = null, failing_since = null, resting_until = null
             where id = :id
            """)
        .param("id", id.value())
        .param("state", state.word())
        .update();
  }

  /** The present secret counts beside the new one until {@code until}. */
  void rotate(WebhookId id, SealedText secret, Instant now, Instant until) {
    jdbc.sql(
            """
            update webhooks
               set previous_secret = secret, previous_secret_until = :until,
                   secret = :secret, secret_set_at = :now
             where id = :id
            """)
        .param("id", id.value())
        .param("secret", secret.encoded())
        .param("now", utc(now))
        .param("until", utc(until))
        .update();
  }

  void delete(WebhookId id, Instant now) {
    jdbc.sql(
            """
            update webhooks
               set deleted_at = :now, secret = null, previous_secret = null,
                   previous_secret_until = null
             where id = :id
            """)
        .param("id", id.value())
        .param("now", utc(now))
        .update();
  }

  /** Removes what was deleted before {@code before} and has no deliveries left. */
  void purge(Instant before) {
    jdbc.sql(
            """
            delete from webhooks w
             where w.deleted_at < :before
               and not exists (select from webhook_deliveries d where d.webhook_id = w.id)
            """)
        .param("before", utc(before))
        .update();
  }

  Optional<Target> target(WebhookId id, Instant now) {
    return jdbc.sql(
            """
            select w.id as webhook_id, w.name, w.url, w.allow_private, w.secret,
                   case when w.previous_secret_until > :now then w.previous_secret end as previous
              from webhooks w
             where w.id = :id and w.deleted_at is null
            """)
        .param("id", id.value())
        .param("now", utc(now))
        .query(WebhookRepository::target)
        .optional();
  }

  /** Every sealed secret there is. */
  List<SealedText> sealed() {
    return jdbc
        .sql("select secret, previous_secret from webhooks where deleted_at is null")
        .query((row, _) ->
            Stream.of(row.getString("secret"), row.getString("previous_secret"))
                .filter(text -> text != null)
                .map(SealedText::new)
                .toList())
        .list()
        .stream()
        .flatMap(List::stream)
        .toList();
  }

  static Target target(ResultSet row, int number) throws SQLException {
    var previous = row.getString("previous");
    return new Target(
        new WebhookId(row.getObject("webhook_id", UUID.class)),
        row.getString("name"),
        row.getString("url"),
        row.getBoolean("allow_private"),
        new SealedText(row.getString("secret")),
        previous == null ? null : new SealedText(previous));
  }

  static OffsetDateTime utc(Instant at) {
    return at.atOffset(ZoneOffset.UTC);
  }

  static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    var at = row.getObject(column, OffsetDateTime.class);
    return at == null ? null : at.toInstant();
  }

  private static WebhookState state(WebhookDraft draft) {
    return draft.enabled() ? WebhookState.ACTIVE : WebhookState.DISABLED;
  }

  private static UUID @Nullable [] uuids(List<AgentId> agents) {
    return agents.isEmpty() ? null : agents.stream().map(AgentId::value).toArray(UUID[]::new);
  }

  private static List<String> texts(Array array) throws SQLException {
    return Arrays.asList((String[]) array.getArray());
  }

  private static Webhook webhook(ResultSet row, int number) throws SQLException {
    return new Webhook(
        new WebhookId(row.getObject("id", UUID.class)),
        row.getString("name"),
        row.getString("url"),
        row.getBoolean("allow_private"),
        texts(row.getArray("events")).stream()
            .flatMap(word -> EventType.of(word).stream())
            .sorted()
            .toList(),
        texts(row.getArray("slugs")),
        WebhookState.of(row.getString("state")),
        row.getString("state_reason"),
        instant(row, "failing_since"),
        row.getObject("secret_set_at", OffsetDateTime.class).toInstant(),
        instant(row, "previous_secret_until"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        row.getString("created_by_name"));
  }
}
