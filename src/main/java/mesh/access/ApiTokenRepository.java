package mesh.access;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import mesh.activity.ActorId;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class ApiTokenRepository {

  private static final String LISTED =
      """
      select api_tokens.id, api_tokens.name, api_tokens.role, makers.name as created_by,
             api_tokens.created_at, api_tokens.last_used_at, api_tokens.expires_at
        from api_tokens
        left join actors makers on makers.id = api_tokens.created_by
      """;

  record Holder(UUID id, Operator operator, boolean usedThisMinute) {}

  private final JdbcClient jdbc;

  ApiTokenRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(
      UUID id,
      ActorId holder,
      String name,
      byte[] hash,
      Role role,
      ActorId by,
      @Nullable Instant expires) {
    jdbc.sql(
            """
            insert into api_tokens (id, actor_id, name, token_hash, role, created_by, expires_at)
            values (:id, :holder, :name, :hash, :role, :by, :expires)
            """)
        .param("id", id)
        .param("holder", holder.value())
        .param("name", name)
        .param("hash", hash)
        .param("role", Roles.word(role))
        .param("by", by.value())
        .param("expires", expires == null ? null : Timestamp.from(expires))
        .update();
  }

  Optional<ApiToken> find(UUID id) {
    return jdbc.sql(LISTED + " where api_tokens.id = :id")
        .param("id", id)
        .query(ApiTokenRepository::listed)
        .optional();
  }

  List<ApiToken> newest(int limit) {
    return jdbc.sql(
            LISTED
                + """
                 where api_tokens.revoked_at is null
                 order by api_tokens.created_at desc, api_tokens.id desc
                 limit :limit
                """)
        .param("limit", limit)
        .query(ApiTokenRepository::listed)
        .list();
  }

  List<ApiToken> newestAfter(Instant at, UUID id, int limit) {
    return jdbc.sql(
            LISTED
                + """
                 where api_tokens.revoked_at is null
                   and (api_tokens.created_at, api_tokens.id) < (:at, :id)
                 order by api_tokens.created_at desc, api_tokens.id desc
                 limit :limit
                """)
        .param("at", Timestamp.from(at))
        .param("id", id)
        .param("limit", limit)
        .query(ApiTokenRepository::listed)
        .list();
  }

  /** Its name; empty if there is none that is not revoked already. */
  Optional<String> revoke(UUID id) {
    return jdbc.sql(
            """
            update api_tokens
               set revoked_at = now()
             where id = :id and revoked_at is null
            returning name
            """)
        .param("id", id)
        .query(String.class)
        .optional();
  }

  /** Empty unless it can be used. Its maker's role bounds what it may do, also afterwards. */
  Optional<Holder> holder(byte[] hash) {
    return jdbc.sql(
            """
            select api_tokens.id, api_tokens.actor_id, api_tokens.name, api_tokens.role,
                   users.role as maker_role,
                   api_tokens.last_used_at is not distinct from date_trunc('minute', now()) as used
              from api_tokens
              left join users on users.actor_id = api_tokens.created_by
             where api_tokens.token_hash = :hash
               and api_tokens.revoked_at is null
               and (api_tokens.expires_at is null or api_tokens.expires_at > now())
               and users.disabled_at is null
            """)
        .param("hash", hash)
        .query(ApiTokenRepository::holder)
        .optional();
  }

  /** Once a minute at most: a busy token would otherwise write with every call. */
  void used(UUID id) {
    jdbc.sql(
            """
            update api_tokens
               set last_used_at = date_trunc('minute', now())
             where id = :id and last_used_at is distinct from date_trunc('minute', now())
            """)
        .param("id", id)
        .update();
  }

  /** True until the first token was ever made. */
  boolean isEmpty() {
    return jdbc.sql("select not exists (select from api_tokens)").query(Boolean.class).single();
  }

  /** Lets others that would write wait until the caller's transaction is over. */
  void lock() {
    jdbc.sql("lock table api_tokens in exclusive mode").update();
  }

  private static Holder holder(ResultSet row, int number) throws SQLException {
    Role role = Roles.of(row.getString("role"));
    String makerWord = row.getString("maker_role");
    Role maker = makerWord == null ? role : Roles.of(makerWord);
    return new Holder(
        row.getObject("id", UUID.class),
        new Operator(
            row.getObject("actor_id", UUID.class),
            row.getString("name"),
            maker.covers(role) ? role : maker),
        row.getBoolean("used"));
  }

  private static ApiToken listed(ResultSet row, int number) throws SQLException {
    return new ApiToken(
        row.getObject("id", UUID.class),
        row.getString("name"),
        Roles.of(row.getString("role")),
        row.getString("created_by"),
        row.getTimestamp("created_at").toInstant(),
        instant(row.getTimestamp("last_used_at")),
        instant(row.getTimestamp("expires_at")));
  }

  private static @Nullable Instant instant(@Nullable Timestamp at) {
    return at == null ? null : at.toInstant();
  }
}
