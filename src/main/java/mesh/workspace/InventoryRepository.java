package mesh.workspace;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import mesh.execution.ExternalRef;
import mesh.workspace.InventoryComparison.Found;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** What rows say of sandboxes, for the comparison with the vendors' lists, and what came of it. */
@Repository
class InventoryRepository {

  private final JdbcClient jdbc;

  InventoryRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** False if another instance began one so recently. */
  boolean begin(String backend, Duration recent) {
    return jdbc.sql(
                """
                insert into inventory_sweeps as s (backend_kind, started_at)
                values (:backend, clock_timestamp())
                    on conflict (backend_kind) do update
                   set started_at = excluded.started_at
                 where s.started_at < clock_timestamp() - :millis * interval '1 millisecond'
                """)
            .param("backend", backend)
            .param("millis", recent.toMillis())
            .update()
        == 1;
  }

  void end(String backend, Found found) {
    jdbc.sql(
            """
            update inventory_sweeps
               set ended_at = clock_timestamp(), ours = :ours, unknown = :unknown,
                   destroyed = :destroyed, missing = :missing, others = :others,
                   unmarked = :unmarked, error = null,
                   destroyed_ever = destroyed_ever + :destroyed
             where backend_kind = :backend
            """)
        .param("backend", backend)
        .param("ours", found.ours())
        .param("unknown", found.unknown())
        .param("destroyed", found.destroyed())
        .param("missing", found.missing())
        .param("others", found.others())
        .param("unmarked", found.unmarked())
        .update();
  }

  void failed(String backend, String error) {
    jdbc.sql(
            "update inventory_sweeps set ended_at = clock_timestamp(), error = :error where backend_kind = :backend")
        .param("backend", backend)
        .param("error", error)
        .update();
  }

  /**
   * Which of these names a row, or its release, sees to, or saw to so recently that the vendor's
   * list may lag.
   */
  Set<String> known(Collection<String> keys, Duration recently) {
    return new HashSet<>(
        jdbc.sql(
                """
                select create_key
                  from workspaces
                 where create_key = any(:keys)
                   and (state not in ('released', 'pending')
                        or released_at > clock_timestamp() - :millis * interval '1 millisecond')
                """)
            .param("keys", keys.toArray(String[]::new))
            .param("millis", recently.toMillis())
            .query((row, _) -> row.getString(1))
            .list());
  }

  /** By the database's clock. */
  boolean isOlderThan(Instant createdAt, Duration grace) {
    return jdbc.sql(
            "select cast(:at as timestamptz) <= clock_timestamp() - :millis * interval '1 millisecond'")
        .param("at", createdAt.atOffset(ZoneOffset.UTC))
        .param("millis", grace.toMillis())
        .query(Boolean.class)
        .single();
  }

  /** Sandboxes in use that a list does not show although they have been there for a while. */
  List<Believed> believed(String backend, Collection<String> listed) {
    return jdbc.sql(
            """
            select w.id, w.fence, w.external_ref
              from workspaces w
             where w.state = 'ready' and w.backend_kind = :backend
               and w.ready_at < clock_timestamp() - interval '2 minutes'
               and not w.create_key = any(:listed)
            """)
        .param("backend", backend)
        .param("listed", listed.toArray(String[]::new))
        .query((row, _) ->
            new Believed(
                new WorkspaceId(row.getObject("id", UUID.class)),
                row.getLong("fence"),
                ExternalRef.of(row.getString("external_ref"))))
        .list();
  }

  /** The vendor says that it is gone. False if the row moved on meanwhile. */
  boolean lost(Believed row, String reason) {
    return jdbc.sql(
                """
                update workspaces
                   set state = 'lost', release_reason = :reason, owner_instance = null
                 where id = :id and fence = :fence and state = 'ready'
                """)
            .param("id", row.workspace().value())
            .param("fence", row.fence())
            .param("reason", reason)
            .update()
        == 1;
  }

  /** The last comparison of each backend, by name. */
  List<ComparedInventory> all() {
    return jdbc.sql("select * from inventory_sweeps order by backend_kind")
        .query(InventoryRepository::compared)
        .list();
  }

  private static ComparedInventory compared(ResultSet row, int number) throws SQLException {
    var ended = row.getObject("ended_at", OffsetDateTime.class);
    return new ComparedInventory(
        row.getString("backend_kind"),
        row.getObject("started_at", OffsetDateTime.class).toInstant(),
        ended == null ? null : ended.toInstant(),
        count(row, "ours"),
        count(row, "unknown"),
        count(row, "destroyed"),
        count(row, "missing"),
        count(row, "others"),
        count(row, "unmarked"),
        row.getLong("destroyed_ever"),
        row.getString("error"));
  }

  private static @Nullable Integer count(ResultSet row, String column) throws SQLException {
    return row.getObject(column, Integer.class);
  }

  /**
   * @param ref of the sandbox that the row believes in
   */
  record Believed(WorkspaceId workspace, long fence, ExternalRef ref) {}
}
