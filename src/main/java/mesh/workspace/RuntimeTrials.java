package mesh.workspace;

import static java.util.stream.Collectors.toMap;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Entry;
import mesh.activity.Recorded;
import mesh.execution.catalog.BackendName;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.json.JsonMapper;

/** How the trials of runtimes went, as the activity has it. */
@Service
public class RuntimeTrials {

  private static final String ACTION = "runtime.tested";

  private final Activity activity;
  private final TransactionTemplate transaction;
  private final JsonMapper json;

  RuntimeTrials(Activity activity, TransactionTemplate transaction, JsonMapper json) {
    this.activity = activity;
    this.transaction = transaction;
    this.json = json;
  }

  /**
   * One trial.
   *
   * @param error the first one; null if all went well
   * @param steps none if the runtime did not even open
   */
  public record Trial(
      Instant at, String by, @Nullable String error, List<RuntimeTrial.Step> steps) {

    public Trial {
      steps = List.copyOf(steps);
    }

    public boolean ok() {
      return error == null;
    }
  }

  /** The last one of each runtime that was ever tried, by the runtime's name. */
  public Map<String, Trial> last() {
    return activity.lastOfEachConnection(ACTION).stream()
        .collect(toMap(it -> Objects.requireNonNull(it.connection()), this::trial));
  }

  void record(BackendName runtime, List<RuntimeTrial.Step> steps, ActorId by) {
    record(
        runtime,
        new Told(
            steps.stream()
                .map(RuntimeTrial.Step::error)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null),
            steps),
        by);
  }

  /** It did not open, so there was nothing to try. */
  void recordClosed(BackendName runtime, String error, ActorId by) {
    record(runtime, new Told(error, List.of()), by);
  }

  private void record(BackendName runtime, Told told, ActorId by) {
    transaction.executeWithoutResult(
        _ -> activity.record(Entry.of(by, ACTION).connection(runtime.value()).after(told)));
  }

  private Trial trial(Recorded entry) {
    Told told = json.readValue(Objects.requireNonNull(entry.after()), Told.class);
    return new Trial(entry.at(), entry.actor(), told.error(), told.steps());
  }

  record Told(@Nullable String error, List<RuntimeTrial.Step> steps) {}
}
