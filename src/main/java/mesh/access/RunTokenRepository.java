package mesh.access;

import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class RunTokenRepository {

  record Holder(UUID run, UUID agent, boolean ended) {}

  private final JdbcClient jdbc;

  RunTokenRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(UUID run, byte[] hash) {
    jdbc.sql(
            """
            insert into run_tokens (token_hash, run_id)
            values (:hash, :run)
            """)
        .param("hash", hash)
        .param("run", run)
        .update();
  }

  /** Token and run in one query, so that no call starts after the run's end was committed. */
  Optional<Holder> holder(byte[] hash) {
    return jdbc.sql(
            """
            select runs.id as run, runs.agent_id as agent, runs.ended_at is not null as ended
              from run_tokens
              join runs on runs.id = run_tokens.run_id
             where run_tokens.token_hash = :hash
            """)
        .param("hash", hash)
        .query(Holder.class)
        .optional();
  }
}
