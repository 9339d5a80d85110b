package mesh.telemetry;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Two settings of Mesh that are several of Spring Boot's: {@code MESH_OTLP_ENDPOINT}, where traces
 * go, and {@code MESH_LOG_FORMAT}, {@code text} or {@code json}. Without an endpoint nothing of
 * tracing is even made: no exporter, no thread, no sampling.
 */
final class TelemetrySettings implements EnvironmentPostProcessor, Ordered {

  private static final String ENDPOINT = "management.opentelemetry.tracing.export.otlp.endpoint";
  private static final String EXCLUDED = "spring.autoconfigure.exclude";
  private static final String BOOT = "org.springframework.boot.";

  /** Logs go to the console alone. */
  private static final List<String> LOGS =
      List.of(
          BOOT + "opentelemetry.autoconfigure.logging.OpenTelemetryLoggingAutoConfiguration",
          BOOT + "opentelemetry.autoconfigure.logging.otlp.OtlpLoggingAutoConfiguration");

  private static final List<String> TRACES =
      List.of(
          BOOT + "opentelemetry.autoconfigure.OpenTelemetrySdkAutoConfiguration",
          BOOT
              + "micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration",
          BOOT
              + "micrometer.tracing.opentelemetry.autoconfigure.otlp.OtlpTracingAutoConfiguration");

  /** After the files were read. */
  @Override
  public int getOrder() {
    return ConfigDataEnvironmentPostProcessor.ORDER + 10;
  }

  @Override
  public void postProcessEnvironment(
      ConfigurableEnvironment environment, SpringApplication application) {
    var properties = new HashMap<String, Object>();
    var excluded = new ArrayList<String>();
    var before = environment.getProperty(EXCLUDED, "");
    if (!before.isBlank()) {
      excluded.add(before);
    }
    excluded.addAll(LOGS);
    var endpoint = environment.getProperty("mesh.otlp.endpoint", "").strip();
    if (!endpoint.isEmpty()) {
      properties.put(ENDPOINT, address(endpoint));
    } else if (environment.getProperty(ENDPOINT, "").isBlank()) {
      excluded.addAll(TRACES);
    }
    properties.put(EXCLUDED, String.join(",", excluded));
    logFormat(environment, properties);
    environment.getPropertySources().addFirst(new MapPropertySource("telemetry", properties));
  }

  private static void logFormat(
      ConfigurableEnvironment environment, Map<String, Object> properties) {
    var format = environment.getProperty("mesh.log.format", "text").strip();
    switch (format.toLowerCase(Locale.ROOT)) {
      case "text", "" -> {}
      case "json" -> properties.put("logging.structured.format.console", JsonLines.class.getName());
      default ->
          throw new IllegalStateException(
              "MESH_LOG_FORMAT must be 'text' or 'json', not '" + format + "'");
    }
  }

  /** What collectors are usually given is their root; traces have an address below it. */
  private static String address(String endpoint) {
    var path = URI.create(endpoint).getPath();
    if (path == null || path.isEmpty()) {
      return endpoint + "/v1/traces";
    }
    return path.equals("/") ? endpoint + "v1/traces" : endpoint;
  }
}
