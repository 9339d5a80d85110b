package mesh.history;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.UUID;
import mesh.history.Ledger.ActivityRow;
import mesh.history.Ledger.Mark;
import mesh.history.Ledger.PermissionRow;
import mesh.history.Ledger.RunRow;
import mesh.history.Ledger.TeardownRow;
import mesh.history.Ledger.WorkspaceRow;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** Reads what a database holds in the end. */
final class LedgerReading {

  private final JdbcClient jdbc;

  LedgerReading(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  Ledger read() {
    return new Ledger(
        jdbc.sql(
                """
                select r.id, r.agent_id, r.status, r.ended_at,
                       (select count(*) from run_steps s
                         where s.run_id = r.id and s.kind = 'tool' and s.status = 'finished') as calls
                  from runs r
                """)
            .query((row, _) ->
                new RunRow(
                    id(row, "id"),
                    id(row, "agent_id"),
                    row.getString("status"),
                    instant(row, "ended_at"),
                    row.getInt("calls")))
            .list(),
        jdbc.sql(
                """
                select *, sandbox_seconds
                          + coalesce(extract(epoch from clock_timestamp() - running_since), 0) as charged
                  from workspaces
                """)
            .query((row, _) ->
                new WorkspaceRow(
                    id(row, "id"),
                    id(row, "run_id"),
                    id(row, "agent_id"),
                    row.getString("state"),
                    row.getString("create_key"),
                    row.getObject("inherited_from", UUID.class),
                    row.getDouble("charged")))
            .list(),
        jdbc.sql("select * from workspace_teardowns")
            .query((row, _) ->
                new TeardownRow(
                    id(row, "workspace_id"),
                    instant(row, "done_at"),
                    row.getInt("attempts"),
                    row.getString("last_error")))
            .list(),
        marks(
            jdbc.sql(
                "select workspace_id, agent_id, provider, permission_revision from"
                    + " workspace_taints")),
        marks(
            jdbc.sql(
                "select run_id, agent_id, provider, permission_revision from"
                    + " workspace_credential_issuances")),
        jdbc.sql("select * from workspace_credential_permissions")
            .query((row, _) ->
                new PermissionRow(
                    id(row, "agent_id"), row.getString("provider"), row.getLong("revision")))
            .list(),
        jdbc.sql(
                """
                select action, agent_id, connection, (after->>'revision')::bigint as revision
                  from activity
                 where action like 'credential%'
                   and after->>'revision' is not null
                """)
            .query((row, _) ->
                new ActivityRow(
                    row.getString("action"),
                    id(row, "agent_id"),
                    row.getString("connection"),
                    row.getLong("revision")))
            .list());
  }

  private static java.util.List<Mark> marks(StatementSpec statement) {
    return statement
        .query((row, _) ->
            new Mark(
                row.getObject(1, UUID.class),
                row.getObject(2, UUID.class),
                row.getString(3),
                row.getLong(4)))
        .list();
  }

  private static UUID id(ResultSet row, String column) throws SQLException {
    return row.getObject(column, UUID.class);
  }

  private static java.time.@org.jspecify.annotations.Nullable Instant instant(
      ResultSet row, String column) throws SQLException {
    var at = row.getObject(column, OffsetDateTime.class);
    return at == null ? null : at.toInstant();
  }
}
