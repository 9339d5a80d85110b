package mesh.settings;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.activity.ActorId;
import mesh.settings.RuntimeRow.StoredSecret;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

@Repository
class RuntimeRepository {

  private static final TypeReference<Map<String, String>> VALUES = new TypeReference<>() {};
  private static final TypeReference<Map<String, StoredSecret>> SECRETS = new TypeReference<>() {};

  private final JdbcClient jdbc;
  private final JsonMapper json;

  RuntimeRepository(JdbcClient jdbc, JsonMapper json) {
    this.jdbc = jdbc;
    this.json = json;
  }

  List<RuntimeRow> all() {
    return jdbc.sql("select name, enabled, config, secrets, revision from execution_backends")
        .query(this::row)
        .list();
  }

  Optional<RuntimeRow> find(String name) {
    return jdbc.sql(
            """
            select name, enabled, config, secrets, revision
              from execution_backends
             where name = :name
            """)
        .param("name", name)
        .query(this::row)
        .optional();
  }

  /** False if there is a row already, whoever made it. */
  boolean insert(String name, ActorId actor) {
    return jdbc.sql(
                """
                insert into execution_backends (name, updated_by, revision)
                values (:name, :actor, 0)
                on conflict (name) do nothing
                """)
            .param("name", name)
            .param("actor", actor.value())
            .update()
        == 1;
  }

  /** Nobody else changes the backend, or pins an agent to it, until the transaction ends. */
  RuntimeRow lock(String name) {
    return jdbc.sql(
            """
            select name, enabled, config, secrets, revision
              from execution_backends
             where name = :name
               for update
            """)
        .param("name", name)
        .query(this::row)
        .single();
  }

  /** The backend stays enabled until the transaction ends. */
  boolean holdEnabled(String name) {
    return jdbc.sql(
            """
            select true
              from execution_backends
             where name = :name and enabled
               for share
            """)
        .param("name", name)
        .query((row, number) -> row.getBoolean(1))
        .optional()
        .isPresent();
  }

  void update(RuntimeRow row, ActorId actor) {
    jdbc.sql(
            """
            update execution_backends
               set enabled = :enabled, config = cast(:config as json), secrets = cast(:secrets as json),
                   revision = revision + 1, updated_at = now(), updated_by = :actor
             where name = :name
            """)
        .param("name", row.name())
        .param("enabled", row.enabled())
        .param("config", json.writeValueAsString(row.config()))
        .param("secrets", json.writeValueAsString(row.secrets()))
        .param("actor", actor.value())
        .update();
  }

  private RuntimeRow row(ResultSet row, int number) throws SQLException {
    return new RuntimeRow(
        row.getString("name"),
        row.getBoolean("enabled"),
        json.readValue(row.getString("config"), VALUES),
        json.readValue(row.getString("secrets"), SECRETS),
        row.getLong("revision"));
  }
}
