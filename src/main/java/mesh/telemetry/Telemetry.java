package mesh.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
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

  private static final String TRACEPARENT = "traceparent";

  private final MeterRegistry meters;
  private final Tracer tracer;
  private final Propagator propagator;

  public Telemetry(MeterRegistry meters, Tracer tracer, ObjectProvider<Propagator> propagator) {
    this.meters = meters;
    this.tracer = tracer;
    this.propagator = propagator.getIfAvailable(() -> Propagator.NOOP);
  }

  /**
   * The calling thread begins a stage, and must close it.
   *
   * @param name {@code mesh.<module>.<thing>}: the name of the timer and of the span. All stages of
   *     a name have the same keys, and its values are closed sets of words
   */
  public Stage begin(String name) {
    return new Stage(name, meters, tracer, tracer.nextSpan());
  }

  /**
   * As {@link #begin(String)}, as a part of what was under way elsewhere or earlier.
   *
   * @param traceparent of {@link #current} then; null if nothing was traced
   */
  public Stage begin(String name, @Nullable String traceparent) {
    return traceparent == null
        ? begin(name)
        : new Stage(
            name,
            meters,
            tracer,
            propagator
                .extract(Map.of(TRACEPARENT, traceparent), (carrier, key) -> carrier.get(key))
                .start());
  }

  /**
   * What the calling thread has under way, for what it causes elsewhere or later, in the notation
   * of W3C Trace Context (w3.org/TR/trace-context, {@code traceparent}); null if it is not traced.
   */
  public @Nullable String current() {
    var span = tracer.currentSpan();
    if (span == null) {
      return null;
    }
    var carrier = new HashMap<String, String>();
    propagator.inject(span.context(), carrier, (_, key, value) -> carrier.put(key, value));
    return carrier.get(TRACEPARENT);
  }
}
