package mesh.credential;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Parts that run at once, and the proof that a race would be lost without its guard. */
public final class Race {

  private final AtomicBoolean over = new AtomicBoolean();
  private final long deadline;

  private Race(Duration limit) {
    this.deadline = System.nanoTime() + limit.toNanos();
  }

  /**
   * Runs parts 0 to {@code parts - 1} at once until all have returned; the first failure of one
   * ends the race and is passed on.
   *
   * @param limit after which {@link #isOn} is false for parts that repeat themselves
   */
  public static void of(int parts, Duration limit, Part part) {
    var race = new Race(limit);
    var start = new CyclicBarrier(parts);
    try (var threads = Executors.newFixedThreadPool(parts)) {
      var running = new ArrayList<Future<?>>();
      for (int i = 0; i < parts; i++) {
        int number = i;
        running.add(
            threads.submit(() -> {
              try {
                start.await();
                part.run(number, race);
              } catch (Exception | Error e) {
                race.end();
                throw e;
              }
              return number;
            }));
      }
      for (var one : running) {
        var _ = one.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
  }

  /** Whether parts that repeat themselves go on. */
  public boolean isOn() {
    return !over.get() && System.nanoTime() < deadline;
  }

  public void end() {
    over.set(true);
  }

  /** Up to {@code micros}, so that parts meet everywhere. */
  public static void pause(RandomGenerator random, int micros) {
    LockSupport.parkNanos(random.nextInt(micros) * 1000L);
  }

  /**
   * A race without its guard must be lost, else it proves nothing with it.
   *
   * @param rounds how often it may be tried until it is
   * @param violations runs it once and counts what went wrong
   */
  public static void mustBeLost(String mutant, int rounds, IntSupplier violations) {
    for (int round = 1; round <= rounds; round++) {
      int found = violations.getAsInt();
      if (found > 0) {
        System.out.printf("mutant \"%s\": %d violations in round %d%n", mutant, found, round);
        return;
      }
    }
    assertThat(rounds).as("rounds of mutant \"%s\" without a violation", mutant).isZero();
  }

  /** How many wait for a lock in a database, also as seen from within a transaction. */
  public static int waitingFor(JdbcClient jdbc) {
    var _ = jdbc.sql("select pg_stat_clear_snapshot()").query((_, _) -> "").list();
    return jdbc.sql(
            """
            select count(*)
              from pg_stat_activity
             where datname = current_database() and wait_event_type = 'Lock'
            """)
        .query(Integer.class)
        .single();
  }

  /** One of those who race. */
  @FunctionalInterface
  public interface Part {
    void run(int number, Race race) throws Exception;
  }
}
