package mesh.settings;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import mesh.activity.ActorId;
import mesh.inference.Connection.Wire;
import mesh.secret.SealedText;
import mesh.settings.ModelSetting.KeySet;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

@Repository
class ModelRepository {

  private static final TypeReference<List<ModelPrice>> PRICES = new TypeReference<>() {};

  private static final String COLUMNS =
      """
      select c.name, c.wire, c.base_url, c.key, c.key_set_at, a.name as key_set_by, c.allow_private,
             c.prices
        from model_connections c
        left join actors a on a.id = c.key_set_by
      """;

  private final JdbcClient jdbc;
  private final JsonMapper json;

  ModelRepository(JdbcClient jdbc, JsonMapper json) {
    this.jdbc = jdbc;
    this.json = json;
  }

  /** In alphabetical order. */
  List<ModelRow> all() {
    return jdbc.sql(COLUMNS + " order by c.name").query(this::row).list();
  }

  Optional<ModelRow> find(String name) {
    return jdbc.sql(COLUMNS + " where c.name = :name")
        .param("name", name)
        .query(this::row)
        .optional();
  }

  /** Nobody else changes the connection, or names it for an agent, until the transaction ends. */
  Optional<ModelRow> lock(String name) {
    return jdbc.sql(COLUMNS + " where c.name = :name for update of c")
        .param("name", name)
        .query(this::row)
        .optional();
  }

  /** The connection is not deleted until the transaction ends; false if there is none. */
  boolean hold(String name) {
    return jdbc.sql("select true from model_connections where name = :name for key share")
        .param("name", name)
        .query(Boolean.class)
        .optional()
        .isPresent();
  }

  /** False if there is one of that name. */
  boolean insert(ModelRow row, ActorId actor) {
    return written(
                """
                insert into model_connections
                       (name, wire, base_url, key, key_set_at, key_set_by, allow_private, prices,
                        updated_by)
                values (:name, :wire, :url, :key, case when cast(:key as text) is null then null else now() end,
                        case when cast(:key as text) is null then null else :actor end, :private,
                        cast(:prices as json), :actor)
                    on conflict (name) do nothing
                """,
                row,
                actor)
            .update()
        == 1;
  }

  /** Whoever changes the key is who set it. */
  void update(ModelRow row, ActorId actor) {
    written(
            """
            update model_connections
               set wire = :wire, base_url = :url, key = :key,
                   key_set_at = case when cast(:key as text) is null then null
                                     when key = :key then key_set_at
                                     else now() end,
                   key_set_by = case when cast(:key as text) is null then null
                                     when key = :key then key_set_by
                                     else :actor end,
                   allow_private = :private, prices = cast(:prices as json), updated_at = now(),
                   updated_by = :actor
             where name = :name
            """,
            row,
            actor)
        .update();
  }

  void delete(String name) {
    jdbc.sql("delete from model_connections where name = :name").param("name", name).update();
  }

  private JdbcClient.StatementSpec written(String sql, ModelRow row, ActorId actor) {
    return jdbc.sql(sql)
        .param("name", row.name())
        .param("wire", word(row.wire()))
        .param("url", row.baseUrl())
        .param("key", encoded(row.key()))
        .param("private", row.allowPrivate())
        .param("prices", json.writeValueAsString(row.prices()))
        .param("actor", actor.value());
  }

  private static @Nullable String encoded(@Nullable SealedText key) {
    return key == null ? null : key.encoded();
  }

  static String word(Wire wire) {
    return wire.name().toLowerCase(Locale.ROOT);
  }

  private ModelRow row(ResultSet row, int number) throws SQLException {
    var key = row.getString("key");
    return new ModelRow(
        row.getString("name"),
        Wire.valueOf(row.getString("wire").toUpperCase(Locale.ROOT)),
        row.getString("base_url"),
        key == null ? null : new SealedText(key),
        key == null
            ? null
            : new KeySet(
                row.getObject("key_set_at", OffsetDateTime.class).toInstant(),
                row.getString("key_set_by")),
        row.getBoolean("allow_private"),
        json.readValue(row.getString("prices"), PRICES));
  }
}
