package mesh.run;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Locale;
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
             input::text as input, output::text as output, started_at, finished_at, call, awaits
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
   *
   * @param took what a model took for it, which the run is charged with at the same time
   */
  Optional<Integer> append(RunId run, @Nullable Long fence, NewStep step, RunUsage took) {
    return jdbc.sql(
            """
            with numbered as (
              update runs
                 set last_step = last_step + 1,
                     model_calls = model_calls + :calls,
                     input_tokens = input_tokens + :in,
                     cached_input_tokens = cached_input_tokens + :cached,
                     output_tokens = output_tokens + :out,
                     cost_micros = cost_micros + :cost
               where id = :run and ended_at is null
                 and (cast(:fence as bigint) is null or fence = :fence)
              returning last_step)
            insert into run_steps (run_id, seq, kind, tool, call, replayability, status, input,
                                   output, finished_at)
            select :run, last_step, :kind, :tool, :call, :replayability, :status,
                   cast(:input as json), cast(:output as json),
                   case when :status = 'started' then null else clock_timestamp() end
              from numbered
            returning seq
            """)
        .param("run", run.value())
        .param("fence", fence)
        .param("calls", took.modelCalls())
        .param("in", took.inputTokens())
        .param("cached", took.cachedInputTokens())
        .param("out", took.outputTokens())
        .param("cost", took.costMicros())
        .param("kind", step.kind().word())
        .param("tool", step.tool())
        .param("call", step.call())
        .param("replayability", word(step.replayability()))
        .param("status", step.status().word())
        .param("input", text(step.input()))
        .param("output", text(step.output()))
        .query(Integer.class)
        .optional();
  }

  /** Has a started step wait for what nobody here is doing; false if it is not started any more. */
  boolean awaits(RunId run, int seq, Step.Awaits awaits) {
    return jdbc.sql(
                """
                update run_steps
                   set awaits = :awaits
                 where run_id = :run and seq = :seq and status = 'started'
                """)
            .param("run", run.value())
            .param("seq", seq)
            .param("awaits", awaits.word())
            .update()
        == 1;
  }

  /** Steps that wait, oldest first. */
  List<Step> awaiting(RunId run) {
    return jdbc.sql(
            SELECT
                + " where run_id = :run and status = 'started' and awaits is not null order by seq")
        .param("run", run.value())
        .query(this::step)
        .list();
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
        finished == null ? null : finished.toInstant(),
        row.getString("call"),
        awaits(row.getString("awaits")));
  }

  private static Step.@Nullable Awaits awaits(@Nullable String word) {
    return word == null ? null : Step.Awaits.valueOf(word.toUpperCase(Locale.ROOT));
  }

  private static @Nullable String word(@Nullable Replayability replayability) {
    return replayability == null ? null : replayability.word();
  }

  private @Nullable String text(@Nullable JsonNode node) {
    return node == null ? null : json.writeValueAsString(node);
  }

  private @Nullable JsonNode node(@Nullable String text) {
    return text == null ? null : json.readTree(text);
  }
}
