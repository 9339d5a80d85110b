package mesh.run;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import mesh.activity.ActorId;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Runs that wait, and what is said to runs. Each change is made under the lock of the run's row.
 */
@Repository
class WaitRepository {

  private final JdbcClient jdbc;

  WaitRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Nobody else changes the run until the transaction ends; empty if there is no such run. */
  Optional<Locked> lock(RunId run) {
    return jdbc.sql("select status, mode, fence from runs where id = :run for update")
        .param("run", run.value())
        .query((row, _) ->
            new Locked(
                RunStatus.of(row.getString("status")),
                RunMode.of(row.getString("mode")),
                row.getLong("fence")))
        .optional();
  }

  record Locked(RunStatus status, RunMode mode, long fence) {

    boolean isDrivenBy(DrivenRun driven) {
      return !status.isTerminal() && fence == driven.fence();
    }
  }

  void park(RunId run) {
    jdbc.sql(
            """
            update runs
               set status = 'awaiting_input', waiting_since = clock_timestamp(),
                   lease_owner = null, lease_until = null
             where id = :run
            """)
        .param("run", run.value())
        .update();
  }

  void queue(RunId run) {
    jdbc.sql(
            """
            update runs
               set status = 'queued',
                   waited_seconds = waited_seconds
                     + extract(epoch from clock_timestamp() - waiting_since),
                   waiting_since = null
             where id = :run and status = 'awaiting_input'
            """)
        .param("run", run.value())
        .update();
  }

  void insert(UUID id, RunId run, ActorId by, String text) {
    jdbc.sql(
            """
            insert into messages (id, run_id, author_id, text)
            values (:id, :run, :by, :text)
            """)
        .param("id", id)
        .param("run", run.value())
        .param("by", by.value())
        .param("text", text)
        .update();
  }

  /** What was said and is in no step yet, oldest first. */
  List<Unread> unread(RunId run) {
    return jdbc.sql(
            """
            select m.id, m.text, a.name
              from messages m
              join actors a on a.id = m.author_id
             where m.run_id = :run and m.step is null
             order by m.created_at, m.id
            """)
        .param("run", run.value())
        .query((row, _) ->
            new Unread(
                row.getObject("id", UUID.class), row.getString("text"), row.getString("name")))
        .list();
  }

  /**
   * @param by the actor's name
   */
  record Unread(UUID id, String text, String by) {}

  void read(UUID message, int step) {
    jdbc.sql("update messages set step = :step where id = :id")
        .param("id", message)
        .param("step", step)
        .update();
  }
}
