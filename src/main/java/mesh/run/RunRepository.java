package mesh.run;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import mesh.activity.ActorId;
import mesh.agent.AgentId;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

@Repository
class RunRepository {

  private static final String SELECT =
      """
      select r.id, r.agent_id, a.slug, r.status, r.status_reason, r.mode, r.input, r.summary,
             r.conversation_id, r.parent_run_id, r.continues_run_id,
             r.created_by_actor_id, c.name as created_by_name, r.on_behalf_of,
             r.created_at, r.started_at, r.ended_at, r.waited_seconds, r.model_calls,
             r.input_tokens, r.cached_input_tokens, r.output_tokens, r.cost_micros,
             r.token_share, r.compute_share, r.tokens_given, r.compute_given
        from runs r
        join runtime_agents a on a.id = r.agent_id
        join actors c on c.id = r.created_by_actor_id
      """;

  private final JdbcClient jdbc;

  RunRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  void insert(RunId id, NewRun run, RunStatus status, @Nullable String traceparent) {
    jdbc.sql(
            """
            insert into runs (id, agent_id, status, mode, input, created_by_actor_id, on_behalf_of,
                              conversation_id, parent_run_id, continues_run_id, started_at,
                              traceparent)
            values (:id, :agent, :status, :mode, :input, :actor, :behalf,
                    :conversation, :parent, :continues, case when :status = 'running' then now() end,
                    :traceparent)
            """)
        .param("id", id.value())
        .param("agent", run.agent().value())
        .param("status", status.word())
        .param("mode", run.mode().word())
        .param("input", run.input())
        .param("actor", run.createdBy().value())
        .param("behalf", run.onBehalfOf())
        .param("conversation", run.conversation())
        .param("parent", value(run.parent()))
        .param("continues", value(run.continues()))
        .param("traceparent", traceparent)
        .update();
  }

  Optional<String> traceparent(RunId id) {
    return jdbc.sql("select traceparent from runs where id = :id and traceparent is not null")
        .param("id", id.value())
        .query(String.class)
        .optional();
  }

  Optional<Run> find(RunId id) {
    return jdbc.sql(SELECT + " where r.id = :id")
        .param("id", id.value())
        .query(RunRepository::run)
        .optional();
  }

  Optional<RunId> before(RunId id) {
    return jdbc.sql(
            """
            select coalesce(r.continues_run_id,
                            (select p.id
                               from runs p
                              where p.conversation_id = r.conversation_id
                                and p.agent_id = r.agent_id
                                and (p.created_at, p.id) < (r.created_at, r.id)
                              order by p.created_at desc, p.id desc
                              limit 1)) as before
              from runs r
             where r.id = :id
            """)
        .param("id", id.value())
        .query((row, _) -> Optional.ofNullable(row.getObject("before", UUID.class)).map(RunId::new))
        .optional()
        .flatMap(it -> it);
  }

  /** Newest first, those before {@code (createdAt, id)} if given. */
  List<Run> list(
      RunFilter filter, @Nullable Instant createdBefore, @Nullable UUID idBefore, int limit) {
    return jdbc.sql(
            SELECT
                + """
                 where (cast(:slug as text) is null or a.slug = :slug)
                   and (cast(:status as text) is null or r.status = :status)
                   and (cast(:actor as text) is null or c.name = :actor)
                   and (cast(:at as timestamptz) is null or (r.created_at, r.id) < (:at, :id))
                 order by r.created_at desc, r.id desc
                 limit :limit
                """)
        .param("slug", filter.agentSlug().orElse(null))
        .param("status", filter.status().map(RunStatus::word).orElse(null))
        .param("actor", filter.actorName().orElse(null))
        .param(
            "at", createdBefore == null ? null : createdBefore.atOffset(java.time.ZoneOffset.UTC))
        .param("id", idBefore)
        .param("limit", limit)
        .query(RunRepository::run)
        .list();
  }

  /** How many runs ended how, or have not ended, per hour since {@code since}. */
  List<RunsPerHour> perHour(Instant since) {
    return jdbc.sql(
            """
            select date_trunc('hour', created_at) as hour, status, count(*) as runs
              from runs
             where created_at >= :since
             group by 1, 2
             order by 1, 2
            """)
        .param("since", since.atOffset(java.time.ZoneOffset.UTC))
        .query((row, _) ->
            new RunsPerHour(
                row.getObject("hour", OffsetDateTime.class).toInstant(),
                RunStatus.of(row.getString("status")),
                row.getLong("runs")))
        .list();
  }

  /** False if it had ended before. */
  boolean end(RunId id, RunStatus status, String reason, @Nullable String summary) {
    return jdbc.sql(
                """
                update runs
                   set status = :status, status_reason = :reason,
                       summary = coalesce(:summary, summary), ended_at = clock_timestamp(),
                       lease_owner = null, lease_until = null
                 where id = :id and ended_at is null
                """)
            .param("id", id.value())
            .param("status", status.word())
            .param("reason", reason)
            .param("summary", summary)
            .update()
        == 1;
  }

  /**
   * Takes runs that nobody drives: queued ones, and running ones whose driver's lease is over.
   * Concurrent callers get different runs.
   */
  List<DrivenRun> claim(UUID instance, Duration lease, int limit) {
    return jdbc.sql(
            """
            update runs
               set status = 'running', started_at = coalesce(started_at, now()),
                   lease_owner = :instance, lease_until = now() + :seconds * interval '1 second',
                   fence = fence + 1
             where id in (
                   select id
                     from runs
                    where mode = 'harness'
                      and (status = 'queued' or (status = 'running' and lease_until < now()))
                    order by created_at
                    limit :limit
                      for update skip locked)
            returning id, fence
            """)
        .param("instance", instance)
        .param("seconds", lease.toSeconds())
        .param("limit", limit)
        .query((row, _) ->
            new DrivenRun(new RunId(row.getObject("id", UUID.class)), row.getLong("fence")))
        .list();
  }

  /** Extends the leases of everything this instance drives; returns what it still drives. */
  List<RunId> renew(UUID instance, Duration lease) {
    return jdbc.sql(
            """
            update runs
               set lease_until = now() + :seconds * interval '1 second'
             where lease_owner = :instance and status = 'running'
            returning id
            """)
        .param("instance", instance)
        .param("seconds", lease.toSeconds())
        .query((row, _) -> new RunId(row.getObject("id", UUID.class)))
        .list();
  }

  private static @Nullable UUID value(@Nullable RunId id) {
    return id == null ? null : id.value();
  }

  private static @Nullable RunId runId(@Nullable UUID id) {
    return id == null ? null : new RunId(id);
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    var at = row.getObject(column, OffsetDateTime.class);
    return at == null ? null : at.toInstant();
  }

  private static Run run(ResultSet row, int number) throws SQLException {
    return new Run(
        new RunId(row.getObject("id", UUID.class)),
        new AgentId(row.getObject("agent_id", UUID.class)),
        row.getString("slug"),
        RunStatus.of(row.getString("status")),
        row.getString("status_reason"),
        RunMode.of(row.getString("mode")),
        row.getString("input"),
        row.getString("summary"),
        row.getObject("conversation_id", UUID.class),
        runId(row.getObject("parent_run_id", UUID.class)),
        runId(row.getObject("continues_run_id", UUID.class)),
        new ActorId(row.getObject("created_by_actor_id", UUID.class)),
        row.getString("created_by_name"),
        row.getString("on_behalf_of"),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        instant(row, "started_at"),
        instant(row, "ended_at"),
        Duration.ofMillis(Math.round(row.getDouble("waited_seconds") * 1000)),
        new RunUsage(
            row.getInt("model_calls"),
            row.getLong("input_tokens"),
            row.getLong("cached_input_tokens"),
            row.getLong("output_tokens"),
            row.getLong("cost_micros")),
        new RunShare(
            row.getObject("token_share", Long.class),
            row.getObject("compute_share", Integer.class),
            row.getLong("tokens_given"),
            row.getInt("compute_given")));
  }
}
