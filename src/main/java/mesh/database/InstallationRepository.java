package mesh.database;

import java.util.Random;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class InstallationRepository {

  private static final String ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789";
  private static final int LENGTH = 10;

  private final JdbcClient jdbc;

  InstallationRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The same answer for ever, whichever server asks first. */
  Installation only(Random random) {
    jdbc.sql(
            """
            insert into installation (id)
            values (:id)
            on conflict (only_row) do nothing
            """)
        .param("id", draw(random))
        .update();
    return new Installation(jdbc.sql("select id from installation").query(String.class).single());
  }

  private static String draw(Random random) {
    StringBuilder id = new StringBuilder(LENGTH);
    for (int i = 0; i < LENGTH; i++) {
      id.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return id.toString();
  }
}
