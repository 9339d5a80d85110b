package mesh.workspace;

import static java.time.temporal.ChronoUnit.MILLIS;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Whether the threads that look after workspaces again and again still do. One that ended or hangs
 * is not noticed by what it does not do, so each says when it has come round.
 */
@Component
class Pulses {

  private final Map<String, Pulse> pulses = new ConcurrentSkipListMap<>();
  private final MeterRegistry meters;

  Pulses(MeterRegistry meters) {
    this.meters = meters;
  }

  /**
   * Of something that begins now.
   *
   * @param longest how long it may be silent: a few periods, and what one round may take
   */
  Pulse of(String name, Duration longest) {
    var pulse = new Pulse(longest);
    pulses.put(name, pulse);
    Gauge.builder("mesh.workspace.sweep.age", pulses, all -> sinceSuccess(all.get(name)))
        .description("How long ago it last came round without a failure, or began to try")
        .baseUnit("seconds")
        .tag("sweep", name)
        .register(meters);
    return pulse;
  }

  private static double sinceSuccess(@Nullable Pulse pulse) {
    return pulse == null ? Double.NaN : (System.nanoTime() - pulse.succeededAt) / 1e9;
  }

  /** Those that were silent for too long, and for how long. */
  Map<String, Duration> silent() {
    return pulses.entrySet().stream()
        .filter(entry -> entry.getValue().silentFor().compareTo(entry.getValue().longest) > 0)
        .collect(
            Collectors.toMap(
                Map.Entry::getKey, entry -> entry.getValue().silentFor().truncatedTo(MILLIS)));
  }

  /** Of one thread. */
  static final class Pulse {

    private final Duration longest;
    private volatile long cameRoundAt = System.nanoTime();
    private volatile long succeededAt = cameRoundAt;

    private Pulse(Duration longest) {
      this.longest = longest;
    }

    /**
     * It came round. A failure is no silence: what a sweep needs is looked at by itself.
     *
     * @param succeeded whether it did what it had to
     */
    void beat(boolean succeeded) {
      long now = System.nanoTime();
      cameRoundAt = now;
      if (succeeded) {
        succeededAt = now;
      }
    }

    private Duration silentFor() {
      return Duration.ofNanos(System.nanoTime() - cameRoundAt);
    }
  }
}
