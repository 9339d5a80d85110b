package mesh.settings;

import java.util.Optional;
import mesh.activity.ActorId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The egress policy as the database has it, unread. */
@Repository
class EgressRepository {

  private static final String NAME = "workspace_egress";

  private final JdbcClient jdbc;

  EgressRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** As JSON; empty if nobody ever set one. */
  Optional<String> find() {
    return jdbc.sql("select value::text from settings where name = :name")
        .param("name", NAME)
        .query(String.class)
        .optional();
  }

  /** As {@link #find}, and nobody else changes it until the transaction ends. */
  Optional<String> lock() {
    jdbc.sql(
            """
            insert into settings (name, value, revision)
            values (:name, 'null', 0)
            on conflict (name) do nothing
            """)
        .param("name", NAME)
        .update();
    return jdbc.sql("select value::text from settings where name = :name for update")
        .param("name", NAME)
        .query(String.class)
        .optional()
        .filter(value -> !value.equals("null"));
  }

  void save(String value, ActorId actor) {
    jdbc.sql(
            """
            update settings
               set value = cast(:value as json), revision = revision + 1, updated_at = now(),
                   updated_by = :actor
             where name = :name
            """)
        .param("name", NAME)
        .param("value", value)
        .param("actor", actor.value())
        .update();
  }
}
