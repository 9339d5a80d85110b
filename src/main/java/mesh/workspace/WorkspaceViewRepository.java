package mesh.workspace;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import mesh.credential.Provider;
import mesh.run.RunId;
import mesh.run.RunWorkspaces;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.databind.json.JsonMapper;

@Repository
class WorkspaceViewRepository implements RunWorkspaces {

  private static final String COMPUTE =
      """
      w.compute_seconds
        + greatest(0, coalesce(extract(epoch from clock_timestamp() - w.ready_at), 0))
      """;

  private static final String COLUMNS =
      """
      select w.id, w.run_id, a.slug, w.created_by_actor_id, c.name as created_by_name,
             w.backend_kind, w.state, w.size, w.egress::text as egress, w.created_at,
             w.acquired_at, w.released_at, w.release_reason, t.last_error as release_error,
             coalesce(t.attempts, 0) as release_attempts, w.held_until, w.inherited_from,
             w.resume::text as resume, w.reported_seconds,
             w.sandbox_seconds
               + greatest(0, coalesce(extract(epoch from clock_timestamp() - w.running_since), 0))
               as sandbox_seconds,
      """
          + COMPUTE
          + " as compute\n";

  private static final String FROM =
      """
        from workspaces w
        join runtime_agents a on a.id = w.agent_id
        join actors c on c.id = w.created_by_actor_id
        left join workspace_teardowns t on t.workspace_id = w.id
      """;

  private static final String SELECT = COLUMNS + FROM;

  private final JdbcClient jdbc;
  private final JsonMapper json;

  WorkspaceViewRepository(JdbcClient jdbc, JsonMapper json) {
    this.jdbc = jdbc;
    this.json = json;
  }

  Optional<WorkspaceView> find(WorkspaceId id) {
    return jdbc.sql(SELECT + " where w.id = :id")
        .param("id", id.value())
        .query(this::view)
        .optional();
  }

  Optional<WorkspaceView> ofRun(RunId run) {
    return jdbc.sql(SELECT + " where w.run_id = :run")
        .param("run", run.value())
        .query(this::view)
        .optional();
  }

  /** Newest first; those before {@code (createdBefore, idBefore)} if given. */
  List<WorkspaceView> list(
      @Nullable WorkspaceState state,
      @Nullable Instant createdBefore,
      @Nullable UUID idBefore,
      int limit) {
    return jdbc.sql(
            SELECT
                + """
                 where (cast(:state as text) is null or w.state = :state)
                   and (cast(:at as timestamptz) is null or (w.created_at, w.id) < (:at, :id))
                 order by w.created_at desc, w.id desc
                 limit :limit
                """)
        .param("state", state == null ? null : state.word())
        .param("at", createdBefore == null ? null : createdBefore.atOffset(ZoneOffset.UTC))
        .param("id", idBefore)
        .param("limit", limit)
        .query(this::view)
        .list();
  }

  /**
   * Sandboxes that were given a credential which has been taken back since, and that their vendor
   * has not confirmed to be gone although it was asked; longest first.
   */
  List<StillAlive> aliveAfterRevocation(int limit) {
    return jdbc.sql(
            COLUMNS
                + """
                , t.requested_at,
                  array(select i.provider
                          from workspace_credential_issuances i
                         where i.run_id = w.run_id and i.available
                         order by i.provider) as providers
                """
                + FROM
                + """
                 where w.state in ('releasing', 'stranded')
                   and (t.last_error is not null
                        or t.requested_at < clock_timestamp() - interval '15 seconds')
                   and not starts_with(w.release_reason, 'run_') and w.release_reason not in ('idle', 'out_of_memory', 'hold_expired')
                   and exists (select
                                 from workspace_credential_issuances i
                                where i.run_id = w.run_id and i.available)
                 order by t.requested_at, w.id
                 limit :limit
                """)
        .param("limit", limit)
        .query((row, number) ->
            new StillAlive(
                view(row, number),
                row.getObject("requested_at", OffsetDateTime.class).toInstant(),
                Arrays.stream((Object[]) row.getArray("providers").getArray())
                    .map(word -> Provider.of(String.valueOf(word)))
                    .toList()))
        .list();
  }

  Map<String, Integer> liveByRuntime() {
    return jdbc
        .sql(
            """
            select backend_kind, count(*) as live
              from workspaces
             where state not in ('pending', 'released') and state <> 'lost'
               and backend_kind is not null
             group by backend_kind
            """)
        .query((row, _) -> Map.entry(row.getString("backend_kind"), row.getInt("live")))
        .list()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  @Override
  public Map<RunId, RunWorkspace> of(Collection<RunId> runs) {
    if (runs.isEmpty()) {
      return Map.of();
    }
    return jdbc
        .sql(
            "select w.run_id, w.id, w.state, w.backend_kind, w.size, "
                + COMPUTE
                + " as compute from workspaces w where w.run_id in (:runs)")
        .param("runs", runs.stream().map(RunId::value).toList())
        .query((row, _) ->
            Map.entry(
                new RunId(row.getObject("run_id", UUID.class)),
                new RunWorkspace(
                    row.getObject("id", UUID.class),
                    row.getString("state"),
                    row.getString("backend_kind"),
                    row.getString("size"),
                    row.getDouble("compute"))))
        .list()
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }

  private WorkspaceView view(ResultSet row, int number) throws SQLException {
    var egress = row.getString("egress");
    var resume = row.getString("resume");
    return new WorkspaceView(
        new WorkspaceId(row.getObject("id", UUID.class)),
        new RunId(row.getObject("run_id", UUID.class)),
        row.getString("slug"),
        row.getObject("created_by_actor_id", UUID.class),
        row.getString("created_by_name"),
        row.getString("backend_kind"),
        WorkspaceState.of(row.getString("state")),
        row.getString("size"),
        egress == null ? null : json.readTree(egress),
        row.getObject("created_at", OffsetDateTime.class).toInstant(),
        instant(row, "acquired_at"),
        instant(row, "released_at"),
        row.getString("release_reason"),
        row.getString("release_error"),
        row.getInt("release_attempts"),
        row.getDouble("compute"),
        row.getDouble("sandbox_seconds"),
        row.getObject("reported_seconds", Double.class),
        instant(row, "held_until"),
        row.getObject("inherited_from", UUID.class),
        resume == null ? null : json.readTree(resume));
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    var at = row.getObject(column, OffsetDateTime.class);
    return at == null ? null : at.toInstant();
  }
}
