package mesh.workspace;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import org.springframework.stereotype.Component;

/**
 * Counts what all instances have, for the gauges: two queries a quarter of a minute, however often
 * somebody asks. Every instance tells the same numbers, so they must not be added up. While the
 * database cannot be asked, the gauges say nothing rather than what was.
 */
@Component
class WorkspaceCensus implements Sweep {

  private static final Duration PERIOD = Duration.ofSeconds(15);

  private final CensusRepository rows;
  private volatile Counted counted =
      new Counted(
          Map.of(),
          new CensusRepository.Queue(0, 0),
          System.nanoTime() - PERIOD.multipliedBy(5).toNanos());

  WorkspaceCensus(CensusRepository rows, MeterRegistry meters) {
    this.rows = rows;
    for (var state : WorkspaceState.values()) {
      if (state != WorkspaceState.PENDING && state != WorkspaceState.RELEASED) {
        Gauge.builder("mesh.workspace.live", this, it -> it.in(state))
            .description("Workspaces of all instances that have a sandbox or must lose one")
            .tag("status", state.word())
            .register(meters);
      }
    }
    Gauge.builder("mesh.workspace.teardown.backlog", this, it -> it.counted.backlog())
        .description("Sandboxes that are to be ended and are not confirmed to be gone")
        .register(meters);
    Gauge.builder("mesh.workspace.teardown.oldest", this, it -> it.counted.oldest())
        .description("How long the oldest of them has been waiting")
        .baseUnit("seconds")
        .register(meters);
  }

  private double in(WorkspaceState state) {
    var last = counted;
    return last.isOld() ? Double.NaN : last.states.getOrDefault(state.word(), 0L);
  }

  @Override
  public String name() {
    return "census";
  }

  @Override
  public Duration period() {
    return PERIOD;
  }

  @Override
  public void sweep() {
    counted = new Counted(rows.unfinished(), rows.queue(), System.nanoTime());
  }

  private record Counted(Map<String, Long> states, CensusRepository.Queue queue, long at) {

    boolean isOld() {
      return System.nanoTime() - at > PERIOD.multipliedBy(4).toNanos();
    }

    double backlog() {
      return isOld() ? Double.NaN : queue.number();
    }

    double oldest() {
      return isOld() ? Double.NaN : queue.oldestSeconds();
    }
  }
}
