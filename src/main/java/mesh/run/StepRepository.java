package mesh.run;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Repository
class StepRepository {

  private static final String SELECT =
      """
      select run_id, seq, kind, tool, replayability, status,
             input::text as input, output::text as output, started_at, finished_at
        from run_steps
      """;

  private final JdbcClient jdbc;
  private final JsonMapper json;

  StepRepository(JdbcClient jdbc, JsonMapper json) {
    this.jdbc = jdbc;
    this.json = json;
  }

  /**
   * Appends a step under the next number; empty if the run has ended or, with a fence, was taken
   * over. One statement: it and the end of the run exclude each other on the run's row.
   */
  Optional<Integer> append(
      RunId run,
      @Nullable Long fence,
      Step.Kind kind,
      @Nullable String tool,
      @Nullable Replayability replayability,
      Step.Status status,
      @Nullable JsonNode input,
      @Nullable JsonNode output) {
    return jdbc.sql(
            """
            with numbered as (
              update runs
                 set last_step = last_step + 1
               where id = :run and ended_at is null
                 and (cast(:fence as bigint) is null or fence = :fence)
              returning last_step)
            insert into run_steps (run_id, seq, kind, tool, replayability, status, input, output,
                                   finished_at)
            select :run, last_step, :kind, :tool, :replayability, :status,
                   cast(:input as json), cast(:output as json),
                   case when :status = 'started' then null else clock_timestamp() end
              from numbered
            returning seq
            """)
        .param("run", run.value())
        .param("fence", fence)
        .param("kind", kind.word())
        .param("tool", tool)
        .param("replayability", replayability == null ? null : replayability.word())
        .param("status", status.word())
        .param("input", input == null ? null : json.writeValueAsString(input))
        .param("output", output == null ? null : json.writeValueAsString(output))
        .query(Integer.class)
        .optional();
  }

  /** False if it is not started any more. */
  boolean finish(RunId run, int seq, Step.Status status, JsonNode output) {
    return jdbc.sql(
                """
                update run_steps
                   set status = :status, output = cast(:output as json),
                       finished_at = clock_timestamp()
                 where run_id = :run and seq = :seq and status = 'started'
                """)
            .param("run", run.value())
            .param("seq", seq)
            .param("status", status.word())
            .param("output", json.writeValueAsString(output))
            .update()
        == 1;
  }

  /** Steps after {@code after}, oldest first. */
  List<Step> list(RunId run, int after, int limit) {
    return jdbc.sql(SELECT + " where run_id = :run and seq > :after order by seq limit :limit")
        .param("run", run.value())
        .param("after", after)
        .param("limit", limit)
        .query(this::step)
        .list();
  }

  /** Those of {@code seqs} that exist. */
  List<Step> find(RunId run, List<Integer> seqs) {
    if (seqs.isEmpty()) {
      return List.of();
    }
    return jdbc.sql(SELECT + " where run_id = :run and seq in (:seqs) order by seq")
        .param("run", run.value())
        .param("seqs", seqs)
        .query(this::step)
        .list();
  }

  private Step step(ResultSet row, int number) throws SQLException {
    var replayability = row.getString("replayability");
    var finished = row.getObject("finished_at", OffsetDateTime.class);
    return new Step(
        new RunId(row.getObject("run_id", UUID.class)),
        row.getInt("seq"),
        Step.kind(row.getString("kind")),
        row.getString("tool"),
        replayability == null ? null : Replayability.of(replayability),
        Step.status(row.getString("status")),
        node(row.getString("input")),
        node(row.getString("output")),
        row.getObject("started_at", OffsetDateTime.class).toInstant(),
        finished == null ? null : finished.toInstant());
  }

  private @Nullable JsonNode node(@Nullable String text) {
    return text == null ? null : json.readTree(text);
  }
}
