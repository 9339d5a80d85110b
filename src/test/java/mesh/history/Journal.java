package mesh.history;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Has a database write down itself how rows change, in the transactions that change them, in a
 * schema that Mesh does not know.
 */
public final class Journal {

  private final JdbcClient jdbc;

  private Journal(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** On a migrated database, before Mesh uses it. */
  public static Journal begin(JdbcClient jdbc) {
    for (var statement : SET_UP.split(";;")) {
      jdbc.sql(statement).update();
    }
    return new Journal(jdbc);
  }

  private static final String SET_UP =
      """
      create schema history
      ;;
      create table history.rows (
        n          bigint generated always as identity primary key,
        at         timestamptz not null default clock_timestamp(),
        workspace  uuid not null,
        run        uuid not null,
        state      text not null,
        key        text,
        afterwards text not null,
        reason     text)
      ;;
      create index rows_by_key on history.rows (key) where key is not null
      ;;
      create table history.permissions (
        n        bigint generated always as identity primary key,
        at       timestamptz not null default clock_timestamp(),
        agent    uuid not null,
        provider text not null,
        revision bigint not null)
      ;;
      create function history.row_changed() returns trigger language plpgsql as $$
      begin
        insert into history.rows (workspace, run, state, key, afterwards, reason)
        values (new.id, new.run_id, new.state, new.create_key, new.afterwards, new.release_reason);
        return null;
      end $$
      ;;
      create function history.permission_changed() returns trigger language plpgsql as $$
      begin
        insert into history.permissions (agent, provider, revision)
        values (new.agent_id, new.provider, new.revision);
        return null;
      end $$
      ;;
      create trigger history_inserted after insert on workspaces
        for each row execute function history.row_changed()
      ;;
      create trigger history_updated after update on workspaces for each row
        when ((old.state, old.create_key, old.afterwards, old.release_reason)
              is distinct from (new.state, new.create_key, new.afterwards, new.release_reason))
        execute function history.row_changed()
      ;;
      create trigger history_permission after update on workspace_credential_permissions
        for each row execute function history.permission_changed()
      """;

  /** Whether a committed row names this sandbox, or did. */
  boolean knows(String sandbox) {
    return jdbc.sql("select exists (select from history.rows where key = :key)")
        .param("key", sandbox)
        .query(Boolean.class)
        .single();
  }

  List<Event> events() {
    var events = new ArrayList<Event>();
    events.addAll(jdbc.sql("select * from history.rows order by n").query(Journal::changed).list());
    events.addAll(
        jdbc.sql("select * from history.permissions order by n")
            .query((row, _) ->
                new Event.PermissionChanged(
                    at(row, "at"),
                    row.getObject("agent", UUID.class),
                    row.getString("provider"),
                    row.getLong("revision")))
            .list());
    return events;
  }

  private static Event.RowChanged changed(ResultSet row, int number) throws SQLException {
    return new Event.RowChanged(
        at(row, "at"),
        row.getObject("workspace", UUID.class),
        row.getObject("run", UUID.class),
        row.getString("state"),
        row.getString("key"),
        row.getString("afterwards"),
        row.getString("reason"));
  }

  static Instant at(ResultSet row, String column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }
}
