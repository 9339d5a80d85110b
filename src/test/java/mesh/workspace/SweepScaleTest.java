package mesh.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import mesh.agent.AgentId;
import mesh.credential.Rows;
import mesh.database.TestDatabase;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * What the sweeps cost when there were many workspaces before. By indexes alone, whatever the
 * number: {@code -Dtest.jvm=-Dmesh.rows=1000000} measures a million.
 */
class SweepScaleTest {

  private static final int RELEASED = Integer.getInteger("mesh.rows", 20_000);
  private static final int LIVE = 1_000;
  private static final Pattern TIME =
      Pattern.compile("Execution Time: ([0-9.]+)|duration: ([0-9.]+) ms");

  @Test
  void allSweepsReadByIndexAlone() throws SQLException {
    var database = TestDatabase.fresh();
    var agent = new Rows(database.jdbc()).agent();
    fill(database.jdbc(), agent);
    Map<String, List<String>> plans = new LinkedHashMap<>();
    double total = 0;
    var source = new SingleConnectionDataSource(database.dataSource().getConnection(), true);
    try {
      var heard = new ArrayList<String>();
      var jdbc = JdbcClient.create(new Listening(source, heard));
      jdbc.sql("load 'auto_explain'").update();
      for (var setting :
          List.of(
              "auto_explain.log_min_duration = 0",
              "auto_explain.log_analyze = on",
              "auto_explain.log_buffers = on",
              "auto_explain.log_level = 'notice'",
              "client_min_messages = 'notice'")) {
        jdbc.sql("set " + setting).update();
      }
      if (RELEASED < 200_000) {
        // A small table is read faster as it lies: then it counts that there is an index to use.
        jdbc.sql("set enable_seqscan = off").update();
      }
      for (var sweep : sweeps(jdbc).entrySet()) {
        sweep.getValue().run();
        heard.clear();
        sweep.getValue().run();
        plans.put(sweep.getKey(), List.copyOf(heard));
        total += heard.stream().mapToDouble(SweepScaleTest::millis).sum();
      }
    } finally {
      source.destroy();
      database.close();
    }

    System.out.printf(
        "sweeps over %,d released and %,d live workspaces: %.1f ms of database time in all%n",
        RELEASED, LIVE, total);
    plans.forEach(
        (sweep, plan) -> System.out.printf("--- %s%n%s%n", sweep, String.join("\n", plan)));
    plans.forEach((sweep, plan) -> {
      assertThat(String.join("\n", plan))
          .as(sweep)
          .isNotEmpty()
          .doesNotContain(
              "Seq Scan on workspaces", "Seq Scan on runs", "Seq Scan on workspace_teardowns");
    });
    assertThat(total).as("ms of database time").isLessThan(1_000);
  }

  private static Map<String, Runnable> sweeps(JdbcClient jdbc) {
    var releases = new ReleaseRepository(jdbc);
    var keys =
        jdbc.sql("select create_key from workspaces where state = 'ready'")
            .query((row, _) -> row.getString(1))
            .list();
    Map<String, Runnable> sweeps = new LinkedHashMap<>();
    sweeps.put("ended runs", releases::retireOfEndedRuns);
    sweeps.put("expired", releases::retireExpired);
    sweeps.put("outlived the longest run", () -> releases.retireOlderThan(Duration.ofDays(1)));
    sweeps.put("idle", () -> releases.retireIdle(Duration.ofHours(1), Set.of()));
    sweeps.put("stranded", releases::strandedOn);
    sweeps.put("budgets", () -> new BudgetRepository(jdbc).exhausted());
    sweeps.put("abandoned", () -> new AbandonedRepository(jdbc).abandoned(50));
    sweeps.put("due releases", () -> new TeardownRepository(jdbc).due());
    sweeps.put(
        "inventory: known",
        () -> new InventoryRepository(jdbc).known(keys, Duration.ofMinutes(15)));
    sweeps.put("inventory: believed", () -> new InventoryRepository(jdbc).believed("fake", keys));
    return sweeps;
  }

  private static double millis(String plan) {
    var found = TIME.matcher(plan);
    return found.find()
        ? Double.parseDouble(found.group(1) == null ? found.group(2) : found.group(1))
        : 0;
  }

  /** Released ones as history leaves them, past the triggers, which would take an hour. */
  private static void fill(JdbcClient jdbc, AgentId agent) {
    TeardownRacesTest.insertReady(jdbc, agent, LIVE);
    jdbc.sql(
            """
            set session_replication_role = replica;
            insert into runs (id, agent_id, status, status_reason, mode, input, created_by_actor_id, created_at, ended_at)
            select gen_random_uuid(), '%1$s', 'completed', 'x', 'external', '', '%2$s',
                   now() - n * interval '1 second', now()
              from generate_series(1, %3$d) n;
            insert into workspaces (id, run_id, agent_id, created_by_actor_id, state, backend_kind, create_key, size,
                                    external_ref, acquired_at, released_at, release_reason)
            select gen_random_uuid(), id, agent_id, created_by_actor_id, 'released', 'fake',
                   'mesh-aaaaaaaaaa-' || substr(md5(id::text), 1, 25) || '-9', 'small', 'r', now(), now(), 'run_completed'
              from runs where ended_at is not null;
            insert into workspace_teardowns (workspace_id, backend_kind, reason, done_at)
            select id, 'fake', 'run_completed', now() from workspaces where state = 'released';
            set session_replication_role = default;
            """
                .formatted(agent.value(), mesh.activity.ActorId.SYSTEM.value(), RELEASED))
        .update();
    jdbc.sql("vacuum analyze").update();
  }

  /** Hears what the server notes beside its answers. */
  private static final class Listening extends JdbcTemplate {

    private final List<String> heard;

    Listening(SingleConnectionDataSource source, List<String> heard) {
      super(source);
      this.heard = heard;
    }

    @Override
    protected void handleWarnings(Statement statement) throws SQLException {
      for (SQLWarning it = statement.getWarnings(); it != null; it = it.getNextWarning()) {
        heard.add(String.valueOf(it.getMessage()));
      }
    }
  }
}
