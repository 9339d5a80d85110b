package mesh.credential;

import static mesh.credential.Provider.GITHUB;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import mesh.Await;
import mesh.TestMesh;
import mesh.activity.ActorId;
import mesh.agent.AgentId;
import mesh.credential.DeliveryLocks.Write;
import mesh.database.SidePool;
import mesh.database.TestDatabase;
import mesh.database.TestPools;
import mesh.run.RunId;
import mesh.secret.Secret;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * No write of a credential that began under an older authority ends after its revocation was
 * acknowledged: eight that write, two that revoke, and the same with each guard taken away.
 */
class DeliveryRacesTest {

  private static final int WRITERS = 8;
  private static final int REVOKERS = 2;
  private static final int REVOCATIONS = 120;
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private static TestDatabase database;
  private static TestMesh mesh;
  private static SidePool pool;

  @BeforeAll
  static void start() {
    database = TestDatabase.fresh();
    mesh = TestMesh.on(database);
    pool = TestPools.delivery(database);
  }

  @AfterAll
  static void stop() {
    pool.close();
    mesh.close();
    database.close();
  }

  @Test
  void noWriteOutlivesAnAcknowledgedRevocation() {
    var history = new History(DeliveryRacesTest::write, DeliveryRacesTest::revoke).run();

    System.out.println(history);
    assertThat(history.violations()).as("%s", history).isZero();
    assertThat(history.writes.size()).as("writes, %s", history).isGreaterThan(100);
    assertThat(history.revocations.size()).as("revocations, %s", history).isGreaterThan(100);
    assertThat(history.refused.get()).as("refused, %s", history).isPositive();
  }

  @Test
  void withoutTheDrainOneDoes() {
    Race.mustBeLost(
        "drain off",
        5,
        () ->
            new History(DeliveryRacesTest::write, DeliveryRacesTest::revokeWithoutDrain)
                .run()
                .violations());
  }

  @Test
  void withTheCheckBeforeTheLockOneDoes() {
    Race.mustBeLost(
        "check before lock",
        5,
        () ->
            new History(DeliveryRacesTest::checkThenLock, DeliveryRacesTest::revoke)
                .run()
                .violations());
  }

  /** As who calls again because the first answer was that writes are still under way. */
  @Test
  void aRepeatedDecisionWaitsForThemToo() throws Exception {
    var rows = new Rows(database.jdbc());
    var agent = rows.agent();
    var run = rows.run(agent);
    rows.issue(run);
    var begun = new CountDownLatch(1);
    var end = new CountDownLatch(1);
    var writing =
        new FutureTask<>(() -> {
          write(
              run,
              agent,
              new Random(),
              _ -> {
                begun.countDown();
                end.await();
              });
          return true;
        });
    Thread.ofVirtual().start(writing);
    assertThat(begun.await(10, TimeUnit.SECONDS)).isTrue();
    var credentials = mesh.bean(Credentials.class);
    var first = new FutureTask<>(() -> credentials.permit(agent, GITHUB, false, ActorId.SYSTEM));
    Thread.ofVirtual().start(first);
    var _ = Await.until(LIMIT, () -> rows.revision(agent, GITHUB), revision -> revision == 2);

    try {
      var again = credentials.permit(agent, GITHUB, false, ActorId.SYSTEM);

      assertThat(writing.isDone()).isFalse();
      assertThat(again.drained()).isFalse();
    } finally {
      end.countDown();
    }
    assertThat(writing.get(10, TimeUnit.SECONDS)).isTrue();
    assertThat(first.get(10, TimeUnit.SECONDS).credential().permission().enabled()).isFalse();
  }

  private static void write(RunId run, AgentId agent, Random random, Write write)
      throws InterruptedException {
    mesh.bean(DeliveryLocks.class).writing(run, agent, Set.of(GITHUB), write);
  }

  /** The locks' own statements in the wrong order. */
  private static void checkThenLock(RunId run, AgentId agent, Random random, Write write) {
    var locks = new DeliveryLockRepository(pool, pool);
    pool.transaction()
        .executeWithoutResult(_ -> {
          if (!locks.issuedTo(run).stream().allMatch(DeliveryLockRepository.Issued::current)) {
            throw new AuthorizationChanged();
          }
          Race.pause(random, 4_000);
          locks.share(agent, GITHUB);
          try {
            write.of(Map.of());
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** As operators revoke: one by new tokens, one by decisions, each of them a change. */
  private static Revoked revoke(AgentId agent, int number, Random random) {
    var credentials = mesh.bean(Credentials.class);
    var changed =
        number < 0
            ? credentials.put(
                agent,
                GITHUB,
                Secret.of("ghp_" + random.nextLong()),
                new Account("bot", null, null),
                ActorId.SYSTEM)
            : credentials.permit(agent, GITHUB, number % 2 == 0, ActorId.SYSTEM);
    return new Revoked(
        changed.credential().permission().revision(), System.nanoTime(), changed.drained());
  }

  private static Revoked revokeWithoutDrain(AgentId agent, int number, Random random) {
    long revision = new Rows(database.jdbc()).touch(agent, GITHUB);
    return new Revoked(revision, System.nanoTime(), true);
  }

  private interface Writer {
    void write(RunId run, AgentId agent, Random random, Write write) throws InterruptedException;
  }

  private interface Revoker {
    /**
     * @param number of the revocation; below zero with those of the first revoker
     */
    Revoked revoke(AgentId agent, int number, Random random);
  }

  /**
   * @param revision what was issued before this is revoked
   * @param at when the revoker was told
   */
  private record Revoked(long revision, long at, boolean drained) {}

  /**
   * @param revision what it was issued
   */
  private record Written(long revision, long end) {}

  private static final class History {

    final Queue<Written> writes = new ConcurrentLinkedQueue<>();
    final Queue<Revoked> revocations = new ConcurrentLinkedQueue<>();
    final AtomicInteger refused = new AtomicInteger();
    private final long seed = new Random().nextLong();
    private final Rows rows = new Rows(database.jdbc());
    private final AgentId agent = rows.agent();
    private final Writer writer;
    private final Revoker revoker;

    History(Writer writer, Revoker revoker) {
      this.writer = writer;
      this.revoker = revoker;
    }

    History run() {
      var revoking = new AtomicInteger(REVOKERS);
      Race.of(
          WRITERS + REVOKERS,
          LIMIT,
          (number, race) -> {
            var random = new Random(seed + number);
            if (number < WRITERS) {
              while (race.isOn()) {
                writeUntilRevoked(race, random);
              }
              return;
            }
            for (int i = 0; i < REVOCATIONS && race.isOn(); i++) {
              Race.pause(random, 15_000);
              var revoked = revoker.revoke(agent, number == WRITERS ? -1 - i : i, random);
              if (revoked.drained()) {
                revocations.add(revoked);
              }
            }
            if (revoking.decrementAndGet() == 0) {
              race.end();
            }
          });
      return this;
    }

    private void writeUntilRevoked(Race race, Random random) throws InterruptedException {
      var run = rows.run(agent);
      long revision = issue(run);
      try {
        while (race.isOn()) {
          Race.pause(random, 4_000);
          writer.write(
              run,
              agent,
              random,
              _ -> {
                Race.pause(random, 12_000);
                writes.add(new Written(revision, System.nanoTime()));
              });
        }
      } catch (AuthorizationChanged changed) {
        refused.incrementAndGet();
      }
    }

    private long issue(RunId run) {
      var issuances = mesh.bean(Issuances.class);
      List<Issuance> issued =
          mesh.bean(TransactionTemplate.class)
              .execute(_ -> {
                issuances.lockPermissions(agent);
                return new ArrayList<>(issuances.issue(run, agent, true));
              });
      return issued.stream()
          .filter(one -> one.provider() == GITHUB)
          .findFirst()
          .orElseThrow()
          .revision();
    }

    /** Pairs of a write and an acknowledged revocation of what it was issued that it outlived. */
    int violations() {
      int found = 0;
      for (var write : writes) {
        for (var revocation : revocations) {
          if (write.revision() < revocation.revision() && write.end() > revocation.at()) {
            found++;
          }
        }
      }
      return found;
    }

    @Override
    public String toString() {
      return "deliveries: %d writes, %d acknowledged revocations, %s refused, %d violations, seed %d"
          .formatted(writes.size(), revocations.size(), refused, violations(), seed);
    }
  }
}
