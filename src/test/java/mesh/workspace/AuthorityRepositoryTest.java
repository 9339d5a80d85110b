package mesh.workspace;

import static mesh.credential.Provider.GITLAB;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import mesh.agent.AgentId;
import mesh.credential.Rows;
import mesh.database.SidePool;
import mesh.database.TestDatabase;
import mesh.database.TestPools;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** One question about everything that is in flight, among many more workspaces. */
class AuthorityRepositoryTest {

  private static final int ALL = 20_000;
  private static final int ASKED = 1_000;
  private static final int TIMES = 60;
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  private static TestDatabase database;
  private static SidePool pool;
  private static JdbcClient jdbc;
  private static Rows rows;
  private static AuthorityRepository authority;
  private static AgentId agent;
  private static List<WorkspaceId> asked;

  @BeforeAll
  static void fill() {
    database = TestDatabase.fresh();
    pool = TestPools.authority(database);
    jdbc = database.jdbc();
    rows = new Rows(jdbc);
    authority = new AuthorityRepository(pool, Limits.usual());
    agent = rows.agent();
    for (int i = 0; i < 10; i++) {
      TeardownRacesTest.insertReady(jdbc, i == 0 ? agent : rows.agent(), ALL / 10);
    }
    jdbc.sql("analyze").update();
    asked =
        jdbc.sql("select id from workspaces where agent_id = :agent order by id limit :limit")
            .param("agent", agent.value())
            .param("limit", ASKED)
            .query((row, _) -> new WorkspaceId(row.getObject("id", UUID.class)))
            .list();
  }

  @AfterAll
  static void drop() {
    pool.close();
    database.close();
  }

  @Test
  void manyAreToldInOneAnswerWellWithinTheDeadline() {
    var times = new long[TIMES];
    for (int i = 0; i < TIMES; i++) {
      long start = System.nanoTime();
      var standing = authority.standing(asked);
      times[i] = System.nanoTime() - start;
      assertThat(standing).hasSize(ASKED);
      assertThat(standing.values()).allMatch(one -> one.live() && !one.outdated());
    }
    Arrays.sort(times);
    System.out.printf(
        "standing of %d among %d workspaces: p50 %.1f ms, max %.1f ms%n",
        ASKED, ALL, times[TIMES / 2] / 1e6, times[TIMES - 1] / 1e6);

    assertThat(Duration.ofNanos(times[TIMES - 1])).isLessThan(DEADLINE);
  }

  @Test
  void eachIsToldAsItIs() {
    var own = rows.agent();
    var good = new WorkspaceId(rows.workspace(own, "creating", "ready"));
    var making = new WorkspaceId(rows.workspace(own, "creating"));
    var held = new WorkspaceId(rows.workspace(own, "creating", "ready", "held"));
    var released = new WorkspaceId(rows.workspace(own, "creating", "releasing", "released"));
    var ended = new WorkspaceId(rows.workspace(own, "creating", "ready"));
    jdbc.sql(
            """
            update runs
               set status = 'completed', status_reason = 'done', ended_at = now()
             where id = (select run_id from workspaces where id = :id)
            """)
        .param("id", ended.value())
        .update();
    var changed = rows.agent();
    var outdated = new WorkspaceId(rows.workspace(changed, "creating", "ready"));
    var missing = new WorkspaceId(UUID.randomUUID());
    rows.touch(changed, GITLAB);
    var all = new ArrayList<>(asked);
    all.addAll(List.of(good, making, held, released, ended, outdated, missing));

    var standing = authority.standing(all);

    assertThat(standing).hasSize(ASKED + 6).doesNotContainKey(missing);
    assertThat(told(standing.get(good))).isEqualTo("true false");
    assertThat(told(standing.get(making))).isEqualTo("false false");
    assertThat(told(standing.get(held))).isEqualTo("false false");
    assertThat(told(standing.get(released))).isEqualTo("false false");
    assertThat(told(standing.get(ended))).isEqualTo("false false");
    assertThat(told(standing.get(outdated))).isEqualTo("false true");
  }

  /** Also when its row was not taken along, as a trigger would. */
  @Test
  void anOlderTaintAloneIsEnough() {
    var own = rows.agent();
    rows.touch(own, GITLAB);
    var id = rows.workspace(own, "creating", "ready");
    jdbc.sql("insert into workspace_taints values (:id, :agent, 'gitlab', 1)")
        .param("id", id)
        .param("agent", own.value())
        .update();

    assertThat(told(authority.standing(List.of(new WorkspaceId(id))).get(new WorkspaceId(id))))
        .isEqualTo("true true");
  }

  @Test
  void aLeaseIsSupportedByItsOwnFenceAlone() {
    var id = new WorkspaceId(rows.workspace(rows.agent(), "creating", "ready"));
    var run = new mesh.run.RunId(UUID.randomUUID());

    var standing = authority.standing(List.of(id)).values().iterator().next();

    assertThat(standing.supports(new Lease(id, run, standing.fence()))).isTrue();
    assertThat(standing.supports(new Lease(id, run, standing.fence() + 1))).isFalse();
    assertThat(standing.supports(new Lease(id, run, standing.fence() - 1))).isFalse();
  }

  @Test
  void nothingIsToldOfNothing() {
    assertThat(authority.standing(List.of())).isEmpty();
  }

  private static String told(AuthorityRepository.@org.jspecify.annotations.Nullable Standing one) {
    assertThat(one).isNotNull();
    return one == null ? "" : one.live() + " " + one.outdated();
  }
}
