package mesh.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.util.List;
import mesh.Canaries;
import mesh.redaction.LogRedaction;
import mesh.redaction.SecretSet;
import mesh.secret.Secret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class JsonLinesTest {

  private final Logger logger =
      ((LoggerContext) LoggerFactory.getILoggerFactory()).getLogger("mesh.some.Thing");

  @Test
  void aLineIsOneObjectWithItsOwnKeysAndThoseOfItsCall() {
    var event = event("it \"said\"\nsomething", null);
    event.addKeyValuePair(new KeyValuePair("attempts", 3));
    event.addKeyValuePair(new KeyValuePair("run", "own"));
    event.addKeyValuePair(new KeyValuePair("message", "another"));
    try (var _ = MDC.putCloseable("mesh.run", "of the call");
        var _ = MDC.putCloseable("mesh.workspace", "w");
        var _ = MDC.putCloseable("traceId", "t")) {

      var line = line(event);

      assertThat(line.get("message").asString()).isEqualTo("it \"said\"\nsomething");
      assertThat(line.get("logger").asString()).isEqualTo("mesh.some.Thing");
      assertThat(line.get("level").asString()).isEqualTo("WARN");
      assertThat(line.get("attempts").asInt()).isEqualTo(3);
      assertThat(line.get("run").asString()).isEqualTo("own");
      assertThat(line.get("workspace").asString()).isEqualTo("w");
      assertThat(line.get("traceId").asString()).isEqualTo("t");
      assertThat(line.get("_message").asString()).isEqualTo("another");
      assertThat(line.has("error")).isFalse();
    }
  }

  /** What JSON escapes no longer looks like the secret. */
  @Test
  void noSecretHidesBehindAnEscape() {
    var token = Canaries.fresh("q\"\\/\u00e9\t");
    var redactions = SecretSet.of(List.of(Secret.of(token)));
    var event = event("failed with " + token, new IllegalStateException("said " + token));
    event.addKeyValuePair(new KeyValuePair("said", token));
    try (var _ = LogRedaction.with(() -> List.of(redactions));
        var _ = MDC.putCloseable("mesh.run", token)) {

      var text = new JsonLines().format(event);

      assertThat(Canaries.in(text)).isEmpty();
      assertThat(line(event).get("message").asString()).isEqualTo("failed with [REDACTED]");
      assertThat(line(event).get("error").asString()).contains("said [REDACTED]");
    }
  }

  private LoggingEvent event(String message, @Nullable Throwable thrown) {
    return new LoggingEvent("test", logger, Level.WARN, message, thrown, null);
  }

  private static JsonNode line(LoggingEvent event) {
    var text = new JsonLines().format(event);
    assertThat(text).endsWith("\n").hasLineCount(1);
    return new JsonMapper().readTree(text);
  }
}
