package mesh.access;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import mesh.activity.ActorId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class UserRepository {

  record User(Operator operator, String passwordHash, boolean disabled) {}

  private final JdbcClient jdbc;

  UserRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(UUID id, ActorId actor, String name, String passwordHash, Role role) {
    jdbc.sql(
            """
            insert into users (id, actor_id, name, password_hash, role)
            values (:id, :actor, :name, :hash, :role)
            """)
        .param("id", id)
        .param("actor", actor.value())
        .param("name", name)
        .param("hash", passwordHash)
        .param("role", Roles.word(role))
        .update();
  }

  Optional<Operator> enabled(UUID actor) {
    return jdbc.sql(
            """
            select actor_id, name, role
              from users
             where actor_id = :actor and disabled_at is null
            """)
        .param("actor", actor)
        .query(UserRepository::operator)
        .optional();
  }

  Optional<User> named(String name) {
    return jdbc.sql(
            """
            select actor_id, name, role, password_hash, disabled_at is not null as disabled
              from users
             where lower(name) = lower(:name)
            """)
        .param("name", name)
        .query((row, number) ->
            new User(
                operator(row, number), row.getString("password_hash"), row.getBoolean("disabled")))
        .optional();
  }

  private static Operator operator(ResultSet row, int number) throws SQLException {
    return new Operator(
        row.getObject("actor_id", UUID.class),
        row.getString("name"),
        Roles.of(row.getString("role")));
  }
}
