package mesh.database;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The clock of one test database, which stands still until a test moves it. PostgreSQL looks names
 * up in the order of the search path, and so finds this clock before its own, in statements and in
 * functions alike.
 */
public final class VirtualTime {

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  private final JdbcClient jdbc;

  private VirtualTime(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** Stands still; for connections that are opened after this. */
  public static VirtualTime in(TestDatabase database) {
    return install(database, "(select at from virtual_clock)");
  }

  /** Goes as all clocks do, but wrong by {@code shift}; for connections opened after this. */
  public static VirtualTime shifted(TestDatabase database, Duration shift) {
    return install(
        database,
        "(pg_catalog.clock_timestamp() + interval '%d milliseconds')".formatted(shift.toMillis()));
  }

  private static VirtualTime install(TestDatabase database, String now) {
    database.alter("set search_path = public, pg_catalog");
    var jdbc = database.jdbc();
    jdbc.sql(
            """
            create unlogged table virtual_clock (at timestamptz not null);
            create function public.clock_timestamp() returns timestamptz language sql as 'select %1$s';
            create function public.now() returns timestamptz language sql as 'select %1$s';
            """
                .formatted(now.replace("'", "''")))
        .update();
    // Defaults were bound to PostgreSQL's own clock when their tables were made.
    jdbc.sql(
            """
            do $$ declare it record; begin
              for it in select table_name, column_name from information_schema.columns
                         where table_schema = 'public' and column_default ~ '(now|clock_timestamp)[(][)]$' loop
                execute format('alter table %I alter column %I set default public.clock_timestamp()',
                               it.table_name, it.column_name);
              end loop;
            end $$
            """)
        .update();
    jdbc.sql("insert into virtual_clock values (:at)")
        .param("at", START.atOffset(ZoneOffset.UTC))
        .update();
    return new VirtualTime(jdbc);
  }

  public void advance(Duration by) {
    jdbc.sql("update virtual_clock set at = at + :millis * interval '1 millisecond'")
        .param("millis", by.toMillis())
        .update();
  }

  public Instant now() {
    return jdbc.sql("select clock_timestamp()")
        .query((row, _) -> row.getObject(1, OffsetDateTime.class).toInstant())
        .single();
  }
}
