package mesh.workspace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import mesh.agent.AgentId;
import mesh.credential.Rows;
import mesh.database.TestDatabase;
import mesh.database.VirtualTime;
import mesh.execution.ExternalRef;
import mesh.execution.InstallationId;
import mesh.execution.SandboxKey;
import mesh.execution.Size;
import mesh.execution.catalog.BackendName;
import mesh.run.RunId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What is counted and what falls due, by a clock that this test moves. */
class WorkspaceTimesTest {

  private static final Set<String> HIBERNATING = Set.of("fake");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final UUID ME = new UUID(7, 7);

  private final TestDatabase database = TestDatabase.fresh();
  private final VirtualTime time = VirtualTime.in(database);
  private final JdbcClient jdbc = database.jdbc();
  private final Rows rows = new Rows(jdbc);
  private final WorkspaceRepository workspaces = new WorkspaceRepository(jdbc);
  private final ClaimRepository claims = new ClaimRepository(jdbc);
  private final ContinuationRepository continuations = new ContinuationRepository(jdbc);
  private final ReleaseRepository releases = new ReleaseRepository(jdbc);
  private final TeardownRepository queue = new TeardownRepository(jdbc);
  private final BudgetRepository budgets = new BudgetRepository(jdbc);
  private AgentId agent = new AgentId(new UUID(0, 0));
  private RunId run = new RunId(new UUID(0, 0));
  private WorkspaceId id = new WorkspaceId(new UUID(0, 0));

  @BeforeEach
  void aRun() {
    agent = rows.agent();
    run = rows.run(agent);
    id = new WorkspaceId(rows.pending(run, agent));
  }

  @AfterEach
  void drop() {
    database.close();
  }

  /** Case 97: neither its making nor its sleep nor a late release is the run's to pay. */
  @Test
  void aRunPaysForTheTimeInWhichItCouldUseItsSandbox() {
    var lease = creating();
    pass(10);
    assertThat(workspaces.ready(lease, ExternalRef.of("r"), null)).isTrue();
    pass(60);
    sleep();
    pass(600);
    var awake = wake();
    workspaces.ready(awake, ExternalRef.of("r"), null);
    pass(5);
    end();
    pass(3600);
    assertThat(queue.done(claimed(), null)).isTrue();

    assertThat(number("compute_seconds")).isEqualTo(65);
    // What the vendor may bill: from each request to each confirmation, without the sleep.
    assertThat(number("sandbox_seconds")).isEqualTo(10 + 60 + 5 + 3600);
    assertThat(rows.state(id.value())).isEqualTo("released");
  }

  /** Case 97: two commands at once are one sandbox's time. */
  @Test
  void commandsAtOnceAreNotCountedTwice() {
    ready();
    pass(30);
    workspaces.used(List.of(id));
    workspaces.used(List.of(id));
    pass(30);
    workspaces.lost(new Lease(id, run, fence()), "sandbox_lost: x");

    assertThat(number("compute_seconds")).isEqualTo(60);
  }

  /** Case 97: a clock that is set back makes nothing negative. */
  @Test
  void nothingIsEverNegative() {
    ready();
    pass(-500);
    end();
    assertThat(queue.done(claimed(), null)).isTrue();

    assertThat(number("compute_seconds")).isZero();
    assertThat(number("sandbox_seconds")).isZero();
  }

  /** BGT-1, to the second, over a replacement and over a sleep. */
  @Test
  void aBudgetIsUsedUpByAllSandboxesOfARun() {
    jdbc.sql("update runtime_agents set max_compute_seconds = 100").update();
    ready();
    pass(40);
    workspaces.lost(new Lease(id, run, fence()), "sandbox_lost: x");
    pass(1000);
    var again = creatingAnew(2);
    pass(1000);
    workspaces.ready(again, ExternalRef.of("r2"), null);
    pass(30);
    sleep();
    pass(1000);
    workspaces.ready(wake(), ExternalRef.of("r2"), null);
    pass(29);
    assertThat(budgets.exhausted()).isEmpty();

    pass(1);

    assertThat(budgets.exhausted())
        .containsExactly(new BudgetRepository.Exhausted(run, Duration.ofSeconds(100)));
  }

  /** Case 36: however long a command is, its workspace is not idle while it runs. */
  @Test
  void whatIsUsedIsNotIdle() {
    ready();
    for (int minute = 0; minute < 600; minute++) {
      pass(60);
      workspaces.used(List.of(id));
      assertThat(releases.retireIdle(HOUR, HIBERNATING)).isEmpty();
    }
    pass(3600);
    assertThat(releases.retireIdle(HOUR, HIBERNATING)).isEmpty();

    pass(1);

    assertThat(releases.retireIdle(HOUR, HIBERNATING)).containsExactly(run);
    assertThat(rows.state(id.value())).isEqualTo("releasing");
    assertThat(afterwards()).isEqualTo("held");
  }

  @Test
  void whatIsIdleAndCannotSleepIsReplacedWhenItIsNeeded() {
    ready();
    pass(3601);
    assertThat(releases.retireIdle(HOUR, Set.of())).containsExactly(run);

    assertThat(queue.done(claimed(), null)).isTrue();

    assertThat(rows.state(id.value())).isEqualTo("lost");
  }

  /** Whatever its run is doing: WSP-6. */
  @Test
  void whatOutlivesTheLongestRunIsRetired() {
    ready();
    pass(86_400);
    assertThat(releases.retireOlderThan(Duration.ofDays(1))).isZero();

    pass(1);

    assertThat(releases.retireOlderThan(Duration.ofDays(1))).isEqualTo(1);
    assertThat(afterwards()).isEqualTo("released");
  }

  @Test
  void whatSleepsForAConversationExpires() {
    converse();
    ready();
    end();
    assertThat(queue.held(claimed(), null, HOUR)).isTrue();
    pass(3600);
    assertThat(releases.retireExpired()).isZero();
    assertThat(releases.retireOfEndedRuns()).as("kept on purpose").isZero();

    pass(1);

    assertThat(releases.retireExpired()).isEqualTo(1);
  }

  /** What sleeps within a living run is that run's, until it ends. */
  @Test
  void aSleepWithinARunDoesNotExpire() {
    ready();
    sleep();
    pass(1_000_000);

    assertThat(releases.retireExpired()).isZero();
    assertThat(releases.retireOfEndedRuns()).isZero();
  }

  /** A change of authority comes between the vendor's answer and the row. */
  @Test
  void whatMayNotBeKeptAnyMoreIsNotKept() {
    converse();
    rows.issue(run);
    rows.taint(id.value());
    ready();
    end();
    var claimed = claimed();
    rows.touch(agent, mesh.credential.Provider.GITHUB);

    assertThat(queue.held(claimed, null, HOUR)).isFalse();

    assertThat(rows.state(id.value())).isEqualTo("releasing");
    assertThat(afterwards()).isEqualTo("released");
    assertThat(rows.queued(id.value())).containsExactly("authorization_changed");
  }

  /**
   * Whoever asks the vendor again may be answered as late as the first: two names, two sandboxes.
   */
  @Test
  void aMakingIsGivenUpOnlyWhenItsLastAnswerIsOverdue() {
    creating();
    pass(110);
    claims.takeOverCreating(id, ME, true);
    pass(110);
    assertThat(new AbandonedRepository(jdbc).abandoned(9))
        .singleElement()
        .matches(it -> !it.settled());

    // Who only looks for it does not put that off.
    claims.takeOverCreating(id, ME, false);
    pass(11);

    assertThat(new AbandonedRepository(jdbc).abandoned(9))
        .singleElement()
        .matches(AbandonedRepository.Abandoned::settled);
  }

  /** What a dead server had claimed is not kept waiting for the end of the claim. */
  @Test
  void aClaimEndsWithTheServerThatMadeIt() {
    ready();
    end();
    jdbc.sql(
            "insert into instances (id, host, lease_until) values (:id, 'x', clock_timestamp() + interval '20 seconds')")
        .param("id", ME)
        .update();
    assertThat(queue.claim("fake", ME, Duration.ofMinutes(1), 1)).hasSize(1);
    assertThat(queue.due()).isEmpty();
    assertThat(queue.claim("fake", new UUID(8, 8), Duration.ofMinutes(1), 1)).isEmpty();

    pass(21);

    assertThat(queue.due()).containsEntry("fake", 1);
    assertThat(queue.claim("fake", new UUID(8, 8), Duration.ofMinutes(1), 1)).hasSize(1);
  }

  /** The run ends while its sandbox is on its way to a replacement. */
  @Test
  void theEndOfARunIsTheEndOfItsReplacement() {
    ready();
    assertThat(releases.replace(new Lease(id, run, fence()), "out_of_memory", Size.LARGE)).isTrue();
    end();

    assertThat(queue.done(claimed(), null)).isTrue();

    assertThat(rows.state(id.value())).isEqualTo("released");
  }

  // how tests say it

  private void pass(int seconds) {
    time.advance(Duration.ofSeconds(seconds));
  }

  private Lease creating() {
    return creatingAnew(1);
  }

  private Lease creatingAnew(int generation) {
    var key = SandboxKey.of(new InstallationId("aaaaaaaaaa"), id.value(), generation);
    long fence =
        claims.startCreating(
            id,
            new BackendName("fake"),
            key,
            generation,
            Size.SMALL,
            new Egress.Open(false),
            null,
            ME);
    return new Lease(id, run, fence);
  }

  private void ready() {
    assertThat(workspaces.ready(creating(), ExternalRef.of("r"), null)).isTrue();
  }

  private void sleep() {
    jdbc.sql("update workspaces set last_used_at = clock_timestamp() - interval '1 day'").update();
    assertThat(releases.retireIdle(HOUR, HIBERNATING)).containsExactly(run);
    assertThat(queue.held(claimed(), null, HOUR)).isTrue();
  }

  private Lease wake() {
    return new Lease(id, run, continuations.wake(id, ME));
  }

  private void converse() {
    jdbc.sql("update runs set conversation_id = gen_random_uuid()").update();
  }

  private void end() {
    jdbc.sql(
            "update runs set status = 'completed', status_reason = 'x', ended_at = clock_timestamp() where id = :id")
        .param("id", run.value())
        .update();
    releases.retireOf(run, "run_completed", HIBERNATING, HOUR);
  }

  private Teardown claimed() {
    return queue.claim("fake", ME, Duration.ofMinutes(1), 1).getFirst();
  }

  private long fence() {
    return jdbc.sql("select fence from workspaces where id = :id")
        .param("id", id.value())
        .query(Long.class)
        .single();
  }

  private double number(String column) {
    return jdbc.sql("select " + column + " from workspaces where id = :id")
        .param("id", id.value())
        .query(Double.class)
        .single();
  }

  private String afterwards() {
    return jdbc.sql("select afterwards from workspaces where id = :id")
        .param("id", id.value())
        .query(String.class)
        .single();
  }
}
