package mesh.walkthrough;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class WalkthroughRepository {

  private final JdbcClient jdbc;

  WalkthroughRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** True for one caller, once in an installation's life. */
  boolean begin() {
    return jdbc.sql(
                """
                insert into settings (name, value)
                values ('walkthrough', '{"started":true}')
                on conflict (name) do nothing
                """)
            .update()
        == 1;
  }
}
