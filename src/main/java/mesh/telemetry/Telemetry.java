package mesh.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.Tracer;
import org.springframework.stereotype.Component;

/**
 * Begins stages. A stage begun within another, on the same thread, is part of it; the first one of
 * a request is part of the caller's trace if the caller sent a {@code traceparent}.
 *
 * <pre>{@code
 * try (var stage = telemetry.begin("mesh.harness.turn").about(Subject.RUN, run)) {
 *   …
 *   stage.outcome("called");
 * }
 * }</pre>
 */
@Component
public final class Telemetry {

  private final MeterRegistry meters;
  private final Tracer tracer;

  public Telemetry(MeterRegistry meters, Tracer tracer) {
    this.meters = meters;
    this.tracer = tracer;
  }

  /**
   * The calling thread begins a stage, and must close it.
   *
   * @param name {@code mesh.<module>.<thing>}: the name of the timer and of the span. All stages of
   *     a name have the same keys, and its values are closed sets of words
   */
  public Stage begin(String name) {
    return new Stage(name, meters, tracer);
  }
}
