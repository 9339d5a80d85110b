package mesh.access;

import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class SetupRepository {

  private final JdbcClient jdbc;

  SetupRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Puts a new token in place of the last; false if there are people or there ever were. */
  boolean open(byte[] hash) {
    return jdbc.sql(
                """
                insert into setup (only_row, token_hash, expires_at)
                select true, :hash, now() + interval '60 minutes'
                 where not exists (select from users)
                on conflict (only_row) do update
                   set token_hash = excluded.token_hash, expires_at = excluded.expires_at
                 where setup.completed_at is null
                """)
            .param("hash", hash)
            .update()
        == 1;
  }

  /** Whether the first admin was made; empty before the first start got that far. */
  Optional<Boolean> completed() {
    return jdbc.sql("select completed_at is not null from setup").query(Boolean.class).optional();
  }

  boolean accepts(byte[] hash) {
    return jdbc.sql(
            """
            select exists (select from setup where token_hash = :hash and expires_at > now())
            """)
        .param("hash", hash)
        .query(Boolean.class)
        .single();
  }

  /** True for exactly one caller: the row is locked, and no longer fits for those who waited. */
  boolean complete(byte[] hash) {
    return jdbc.sql(
                """
                update setup
                   set completed_at = now(), token_hash = null, expires_at = null
                 where token_hash = :hash and expires_at > now() and completed_at is null
                """)
            .param("hash", hash)
            .update()
        == 1;
  }
}
