package mesh.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Runs that are at work at once, with trouble and revocations; {@code mesh.bench.ManyRunsBench} has
 * a thousand of them.
 */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class ManyRunsSoak {

  private static final int RUNS = 24;

  @Test
  void everythingThatIsPromisedIsKept() throws InterruptedException {
    long seed = Long.getLong("mesh.fault.seed", System.nanoTime());
    System.out.println("ManyRunsSoak: repeat with -Dmesh.fault.seed=" + seed);

    var figures =
        new ManyRuns(RUNS, Duration.ofSeconds(10), Duration.ofSeconds(4), seed, false).run();

    System.out.println(figures);
    assertThat(figures.violations()).isEmpty();
    assertThat(figures.operations()).isGreaterThan(RUNS / 3.0);
    assertThat(figures.looks().p99()).isPositive();
  }
}
