package mesh.workspace;

import java.time.Duration;
import mesh.activity.ActorId;
import mesh.run.RunStatus;
import mesh.run.Runs;
import org.springframework.stereotype.Component;

/** Ends runs that have used as many compute-seconds as their agent's runs may. */
@Component
class ComputeBudgets implements Sweep {

  private static final Duration PERIOD = Duration.ofSeconds(2);

  private final BudgetRepository rows;
  private final Runs runs;

  ComputeBudgets(BudgetRepository rows, Runs runs) {
    this.rows = rows;
    this.runs = runs;
  }

  @Override
  public String name() {
    return "budget";
  }

  @Override
  public Duration period() {
    return PERIOD;
  }

  @Override
  public void sweep() {
    for (var exhausted : rows.exhausted()) {
      runs.end(
          exhausted.run(),
          RunStatus.BUDGET_EXHAUSTED,
          "I stopped after %s of compute, as much as one of my runs may use."
              .formatted(words(exhausted.budget())),
          null,
          ActorId.SYSTEM);
    }
  }

  /** As a person says it, with two units at most. */
  static String words(Duration duration) {
    long hours = duration.toHours();
    int minutes = duration.toMinutesPart();
    int seconds = duration.toSecondsPart();
    if (hours > 0) {
      return minutes == 0 ? of(hours, "hour") : of(hours, "hour") + " and " + of(minutes, "minute");
    }
    if (minutes > 0) {
      return seconds == 0
          ? of(minutes, "minute")
          : of(minutes, "minute") + " and " + of(seconds, "second");
    }
    return of(seconds, "second");
  }

  private static String of(long count, String unit) {
    return count + " " + unit + (count == 1 ? "" : "s");
  }
}
