package mesh.telemetry;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Something that takes time and has an outcome: one timer with closed tags and, while traces are
 * wanted, one span with ids. What is logged meanwhile on its thread says what it is about. Used by
 * one thread; an exception is nothing it knows of, for its words may quote anything.
 */
public final class Stage implements AutoCloseable {

  private final String name;
  private final MeterRegistry meters;
  private final Span span;
  private final Tracer.SpanInScope scope;
  private final List<Context> contexts = new ArrayList<>(2);
  private final long began = System.nanoTime();
  private Tags tags = Tags.empty();
  private String outcome = "failed";

  /**
   * @param span that has no name yet
   */
  Stage(String name, MeterRegistry meters, Tracer tracer, Span span) {
    this.name = name;
    this.meters = meters;
    this.span = span.name(name).start();
    this.scope = tracer.withSpan(span);
  }

  /**
   * One more tag of the timer, and of the span.
   *
   * @param value one of a closed set
   */
  public Stage tag(String key, String value) {
    tags = tags.and(key, value);
    span.tag(key, value);
    return this;
  }

  /** Says which one it is about. */
  public Stage about(Subject subject, Object id) {
    var text = id.toString();
    span.tag(subject.key(), text);
    contexts.add(new Context(subject.contextKey(), MDC.get(subject.contextKey())));
    MDC.put(subject.contextKey(), text);
    return this;
  }

  /**
   * A closed word that is too much for a metric, such as the code of a refusal: for the span alone.
   */
  public void code(String code) {
    span.tag("code", code);
  }

  /**
   * How it ended; {@code failed} if nobody says.
   *
   * @param word one of a closed set
   */
  public void outcome(String word) {
    outcome = word;
  }

  @Override
  public void close() {
    long took = System.nanoTime() - began;
    for (var context : contexts.reversed()) {
      context.restore();
    }
    span.tag("outcome", outcome);
    scope.close();
    span.end();
    Timer.builder(name)
        .tags(tags.and("outcome", outcome))
        .register(meters)
        .record(took, TimeUnit.NANOSECONDS);
  }

  /** What the log's context held before. */
  private record Context(String key, @Nullable String before) {
    void restore() {
      if (before == null) {
        MDC.remove(key);
      } else {
        MDC.put(key, before);
      }
    }
  }
}
