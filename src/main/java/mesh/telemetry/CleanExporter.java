package mesh.telemetry;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.DelegatingSpanData;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What may leave in a trace: ids and closed words, by the name of their key. Whatever else a
 * library puts into a span stays here, the messages of exceptions first of all: they quote.
 */
final class CleanExporter implements SpanExporter {

  /** Of requests: the template of the address, never the address. */
  private static final Set<String> KEYS =
      Stream.concat(
              Stream.of(
                  "method",
                  "uri",
                  "status",
                  "outcome",
                  "exception",
                  "tool",
                  "backend",
                  "call",
                  "code"),
              Arrays.stream(Subject.values()).map(Subject::key))
          .collect(Collectors.toUnmodifiableSet());

  private final SpanExporter exporter;

  CleanExporter(SpanExporter exporter) {
    this.exporter = exporter;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    var clean =
        spans.stream()
            .filter(CleanExporter::tells)
            .map(span -> (SpanData) new CleanSpan(span))
            .toList();
    return clean.isEmpty() ? CompletableResultCode.ofSuccess() : exporter.export(clean);
  }

  /** Probes and scrapes would bury everything else. */
  private static boolean tells(SpanData span) {
    return span.getAttributes().asMap().entrySet().stream()
        .noneMatch(attribute ->
            attribute.getKey().getKey().equals("uri")
                && attribute.getValue().toString().startsWith("/actuator"));
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exporter.shutdown();
  }

  private static final class CleanSpan extends DelegatingSpanData {

    private final Attributes attributes;

    CleanSpan(SpanData span) {
      super(span);
      this.attributes =
          span.getAttributes().toBuilder().removeIf(key -> !KEYS.contains(key.getKey())).build();
    }

    @Override
    public Attributes getAttributes() {
      return attributes;
    }

    @Override
    public int getTotalAttributeCount() {
      return attributes.size();
    }

    @Override
    public List<EventData> getEvents() {
      return List.of();
    }

    @Override
    public int getTotalRecordedEvents() {
      return 0;
    }

    /** Without its description, which is a message. */
    @Override
    public StatusData getStatus() {
      return StatusData.create(super.getStatus().getStatusCode(), "");
    }
  }
}
