package mesh.activity;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class ActorRepository {

  private final JdbcClient jdbc;

  ActorRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(ActorId actor, String kind, String name) {
    jdbc.sql(
            """
            insert into actors (id, kind, name)
            values (:id, :kind, :name)
            """)
        .param("id", actor.value())
        .param("kind", kind)
        .param("name", name)
        .update();
  }

  Optional<String> name(ActorId actor) {
    return jdbc.sql("select name from actors where id = :id")
        .param("id", actor.value())
        .query(String.class)
        .optional();
  }
}
