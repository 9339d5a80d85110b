package mesh.database;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Leases run by the database's clock, so servers need not agree on the time. */
@Repository
class InstanceRepository {

  private final JdbcClient jdbc;

  InstanceRepository(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Starts the lease or prolongs it. */
  void renew(UUID id, String host, Duration lease) {
    jdbc.sql(
            """
            insert into instances (id, host, lease_until)
            values (:id, :host, clock_timestamp() + make_interval(secs => :seconds))
            on conflict (id) do update
               set lease_until = excluded.lease_until
            """)
        .param("id", id)
        .param("host", host)
        .param("seconds", lease.toSeconds())
        .update();
  }

  /** Whether another server has a lease. */
  boolean hasOthers(UUID id) {
    return jdbc.sql(
            """
            select exists (select from instances where id <> :id and lease_until > clock_timestamp())
            """)
        .param("id", id)
        .query(Boolean.class)
        .single();
  }

  List<UUID> living() {
    return jdbc.sql("select id from instances where lease_until > clock_timestamp()")
        .query((row, _) -> row.getObject("id", UUID.class))
        .list();
  }

  void end(UUID id) {
    jdbc.sql("update instances set lease_until = clock_timestamp() where id = :id")
        .param("id", id)
        .update();
  }

  /** Forgets servers whose lease ended that long ago: all they owned has been taken over. */
  int forget(Duration ended) {
    return jdbc.sql(
            """
            delete from instances
             where lease_until < clock_timestamp() - make_interval(secs => :seconds)
            """)
        .param("seconds", ended.toSeconds())
        .update();
  }
}
