package mesh.settings;

import java.util.Optional;
import mesh.activity.ActorId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The number of days as the database has it, in JSON. */
@Repository
class ArtifactRetentionRepository {

  private static final String NAME = "artifact_retention_days";

  private final JdbcClient jdbc;

  ArtifactRetentionRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Empty if nobody ever set it. */
  Optional<Integer> find() {
    return read("select value::text from settings where name = :name");
  }

  /** As {@link #find}, and nobody else changes it until the transaction ends. */
  Optional<Integer> lock() {
    jdbc.sql(
            """
            insert into settings (name, value, revision)
            values (:name, 'null', 0)
            on conflict (name) do nothing
            """)
        .param("name", NAME)
        .update();
    return read("select value::text from settings where name = :name for update");
  }

  private Optional<Integer> read(String query) {
    return jdbc.sql(query)
        .param("name", NAME)
        .query(String.class)
        .optional()
        .filter(value -> !value.equals("null"))
        .map(Integer::valueOf);
  }

  void save(int days, ActorId actor) {
    jdbc.sql(
            """
            update settings
               set value = cast(:value as json), revision = revision + 1, updated_at = now(),
                   updated_by = :actor
             where name = :name
            """)
        .param("name", NAME)
        .param("value", Integer.toString(days))
        .param("actor", actor.value())
        .update();
  }
}
