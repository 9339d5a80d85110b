package mesh.run;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Runs that runs spawned. */
@Repository
class SpawnRepository {

  private final JdbcClient jdbc;

  SpawnRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** The run of a call to spawn that was made before. */
  Optional<RunId> of(RunId parent, String call) {
    return jdbc.sql("select id from runs where parent_run_id = :parent and parent_call = :call")
        .param("parent", parent.value())
        .param("call", call)
        .query((row, _) -> new RunId(row.getObject("id", UUID.class)))
        .optional();
  }

  int alive(RunId parent) {
    return jdbc.sql(
            """
            select count(*)
              from runs
             where parent_run_id = :parent and parent_call is not null and ended_at is null
            """)
        .param("parent", parent.value())
        .query(Integer.class)
        .single();
  }

  /** How many runs stand above it. */
  int depth(RunId run) {
    return jdbc.sql(
            """
            with recursive above as (
              select parent_run_id from runs where id = :run
              union all
              select r.parent_run_id from above join runs r on r.id = above.parent_run_id)
            select count(*) from above where parent_run_id is not null
            """)
        .param("run", run.value())
        .query(Integer.class)
        .single();
  }

  /** Makes a run the child of a call, with its part of the parent's budget. */
  void adopt(RunId child, RunId parent, String call, long tokens, int computeSeconds) {
    jdbc.sql(
            """
            update runs
               set parent_call = :call, token_share = :tokens, compute_share = :compute
             where id = :child
            """)
        .param("child", child.value())
        .param("call", call)
        .param("tokens", tokens)
        .param("compute", computeSeconds)
        .update();
    give(parent, tokens, computeSeconds);
  }

  /** Takes from what the parent may still use; negative to give back. */
  void give(RunId parent, long tokens, int computeSeconds) {
    jdbc.sql(
            """
            update runs
               set tokens_given = tokens_given + :tokens, compute_given = compute_given + :compute
             where id = :parent
            """)
        .param("parent", parent.value())
        .param("tokens", tokens)
        .param("compute", computeSeconds)
        .update();
  }

  /** The call that a run was spawned by; empty if it was not. */
  Optional<Spawned> spawned(RunId child) {
    return jdbc.sql(
            """
            select c.parent_run_id, c.parent_call, c.token_share, c.compute_share,
                   c.input_tokens + c.output_tokens + c.tokens_given as tokens, c.compute_given,
                   c.summary, s.seq
              from runs c
              join run_steps s on s.run_id = c.parent_run_id and s.call = c.parent_call
             where c.id = :child and c.parent_call is not null
             order by s.seq desc
             limit 1
            """)
        .param("child", child.value())
        .query((row, _) ->
            new Spawned(
                new RunId(row.getObject("parent_run_id", UUID.class)),
                row.getInt("seq"),
                row.getLong("token_share"),
                row.getInt("compute_share"),
                row.getLong("tokens"),
                row.getInt("compute_given"),
                Optional.ofNullable(row.getString("summary"))))
        .optional();
  }

  /**
   * @param seq the parent's step that waits for it
   * @param tokens used by it and all that it spawned
   * @param computeGiven seconds used by those that it spawned
   */
  record Spawned(
      RunId parent,
      int seq,
      long tokenShare,
      int computeShare,
      long tokens,
      int computeGiven,
      Optional<String> summary) {}

  /** Spawned runs that outlive whoever spawned them. */
  List<RunId> orphans(int limit) {
    return jdbc.sql(
            """
            select c.id
              from runs c
              join runs p on p.id = c.parent_run_id
             where c.parent_call is not null and c.ended_at is null and p.ended_at is not null
             limit :limit
            """)
        .param("limit", limit)
        .query((row, _) -> new RunId(row.getObject("id", UUID.class)))
        .list();
  }
}
