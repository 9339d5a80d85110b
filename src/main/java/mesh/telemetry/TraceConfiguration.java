package mesh.telemetry;

import io.opentelemetry.sdk.trace.export.SpanExporter;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.SpanExporters;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Puts {@link CleanExporter} before whatever sends traces away. */
@Configuration(proxyBeanMethods = false)
class TraceConfiguration {

  /** In place of Spring Boot's, which takes exporters as they are. */
  @Bean
  SpanExporters spanExporters(ObjectProvider<SpanExporter> exporters) {
    return SpanExporters.of(
        exporters
            .orderedStream()
            .map(exporter -> (SpanExporter) new CleanExporter(exporter))
            .toList());
  }
}
