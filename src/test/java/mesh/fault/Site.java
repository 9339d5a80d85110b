package mesh.fault;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import mesh.Await;
import mesh.ServerProcess;
import mesh.Suites;
import mesh.database.TestDatabase;
import mesh.history.History;
import mesh.history.Recorder;
import mesh.simulator.namespace.Namespace;
import mesh.simulator.sprites.SpritesSimulator;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.FileSystemUtils;

/**
 * An installation that is to suffer: one database, one vendor, any number of servers that come and
 * go, and a record of all that happens.
 */
public final class Site implements AutoCloseable {

  /**
   * So that a server starts in half the time: how fast it is later does not matter where it is
   * killed before long.
   */
  static final List<String> FAST = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static final Duration LINGER = Duration.ofMillis(100);

  private final TestDatabase database;
  private final SpritesSimulator vendor;
  private final Recorder recorder;
  private final Path folder;
  private final List<ServerProcess> servers = new ArrayList<>();

  private Site(TestDatabase database, SpritesSimulator vendor, Path folder) {
    this.database = database;
    this.vendor = vendor;
    this.folder = folder;
    this.recorder = Recorder.of(vendor, database.jdbc());
  }

  /** Without the run of a first start, which would use another runtime. */
  public static Site open() {
    Suites.require("faults", Namespace.isPossible(), "unshare is not permitted on this machine");
    try {
      var database = TestDatabase.fresh();
      database
          .jdbc()
          .sql("insert into settings (name, value) values ('walkthrough', '{}')")
          .update();
      var vendor = SpritesSimulator.start(0);
      vendor.lingerAfterExit(LINGER);
      return new Site(database, vendor, Files.createTempDirectory("mesh-site-"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public SpritesSimulator vendor() {
    return vendor;
  }

  public JdbcClient jdbc() {
    return database.jdbc();
  }

  public Recorder recorder() {
    return recorder;
  }

  /** A folder for whatever belongs to one server. */
  Path newFolder() {
    try {
      return Files.createTempDirectory(folder, "server-");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Starts a server; returns before it is ready. All but the first have the first one's keys, and
   * take its operator's token.
   */
  public ServerProcess begin(ServerProcess.Extras extras, String... properties) {
    var data = newFolder();
    try {
      if (!servers.isEmpty()) {
        for (var file : List.of("keyset.json", "bootstrap-token")) {
          Files.copy(servers.getFirst().folder().resolve(file), data.resolve(file));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    var all =
        Stream.concat(Stream.of("spring.datasource.url=" + database.url()), Stream.of(properties))
            .toArray(String[]::new);
    var server = ServerProcess.begin(extras, data, all);
    servers.add(server);
    return server;
  }

  /** Work goes to the simulated vendor and nowhere else. */
  public void onlySprites(ServerProcess at) {
    at.admin()
        .put(
            "/api/settings/agent-runtimes/sprites",
            "{\"enabled\":true,\"config\":{\"token\":\"%s\",\"base_url\":\"%s\"}}"
                .formatted(vendor.token(), vendor.baseUrl()))
        .ok();
    at.admin().put("/api/settings/agent-runtimes/local", "{\"enabled\":false}").ok();
  }

  /** Waits until nothing is on its way any more, neither in rows nor at the vendor. */
  public void quiet(Duration patience) {
    Await.until(patience, this::unsettled, Set::isEmpty);
  }

  private Set<String> unsettled() {
    var unsettled =
        new TreeSet<>(
            jdbc()
                .sql(
                    """
                    select w.state || ' ' || coalesce(w.create_key, w.id::text)
                           || coalesce(' ' || t.last_error, '')
                      from workspaces w
                      join runs r on r.id = w.run_id
                      left join workspace_teardowns t on t.workspace_id = w.id and t.done_at is null
                     where w.state in ('creating', 'releasing', 'stranded')
                        or t.workspace_id is not null
                        or r.ended_at is not null and w.state not in ('released', 'held')
                    """)
                .query(String.class)
                .list());
    var kept = kept();
    vendor.sprites().keySet().stream()
        .filter(sandbox -> !kept.contains(sandbox))
        .forEach(sandbox -> unsettled.add("left over " + sandbox));
    return unsettled;
  }

  private Set<String> kept() {
    return Set.copyOf(
        jdbc()
            .sql("select create_key from workspaces where state in ('ready', 'held')")
            .query(String.class)
            .list());
  }

  /**
   * Waits for what the vendor was asked to show, and then has Mesh believe that all its own waits
   * are over: two minutes for a create whose answer was lost, one for the claim of a server that
   * was killed, and the pauses between attempts. The rows are what they are, only older.
   *
   * @param latest after which nothing takes effect any more at the vendor
   */
  public void letTimePass(Duration latest) {
    var until = Instant.now().plus(latest);
    Await.until(latest.multipliedBy(2), Instant::now, now -> now.isAfter(until));
    jdbc()
        .sql(
            """
            update workspace_teardowns
               set requested_at = requested_at - interval '2 minutes',
                   next_attempt_at = clock_timestamp(),
                   claimed_until = case when claimed_by in (select id from instances
                                                             where lease_until > clock_timestamp())
                                        then claimed_until else clock_timestamp() end
             where done_at is null
            """)
        .update();
    jdbc()
        .sql(
            """
            update workspaces
               set creating_at = creating_at - interval '2 minutes'
             where state = 'creating'
            """)
        .update();
  }

  /** All that happened, now that it is quiet. */
  public History history() {
    return recorder.history(vendor);
  }

  /** What the vendor has, by the state of the row that names it. */
  Map<String, String> row(java.util.UUID run) {
    return jdbc()
        .sql(
            """
            select w.state, coalesce(w.create_key, '') as key, coalesce(w.release_reason, '') as reason,
                   w.external_ref is not null as recorded
              from workspaces w
             where w.run_id = :run
            """)
        .param("run", run)
        .query((row, _) ->
            Map.of(
                "state", row.getString("state"),
                "key", row.getString("key"),
                "reason", row.getString("reason"),
                "recorded", String.valueOf(row.getBoolean("recorded"))))
        .single();
  }

  /** What the servers printed is kept in the folder {@code -Dmesh.fault.logs}, if one is named. */
  @Override
  public void close() {
    keepLogs();
    servers.forEach(ServerProcess::close);
    vendor.close();
    database.close();
    FileSystemUtils.deleteRecursively(folder.toFile());
  }

  private void keepLogs() {
    var kept = System.getProperty("mesh.fault.logs", "");
    try {
      for (int i = 0; i < servers.size() && !kept.isEmpty(); i++) {
        Files.writeString(Path.of(kept, "server-" + i + ".log"), servers.get(i).output());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
