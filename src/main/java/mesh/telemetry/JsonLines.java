package mesh.telemetry;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.Map;
import java.util.TreeMap;
import mesh.redaction.LogRedaction;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.logging.structured.StructuredLogFormatter;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * One JSON object a line: {@code time}, {@code level}, {@code logger}, {@code thread}, {@code
 * message}, then the line's own keys and those of the call in which it was logged ({@code run},
 * {@code workspace}, {@code step}, {@code traceId}, {@code spanId}), then {@code error} with the
 * stack trace. A line's own key wins.
 *
 * <p>Secrets are taken out before JSON hides them behind its escapes. Public, because Spring Boot
 * makes it.
 */
public final class JsonLines implements StructuredLogFormatter<ILoggingEvent> {

  private static final JsonMapper JSON = new JsonMapper();

  private final ThrowableProxyConverter stackTraces = new ThrowableProxyConverter();

  public JsonLines() {
    stackTraces.start();
  }

  @Override
  public String format(ILoggingEvent event) {
    var line = JSON.createObjectNode();
    line.put("time", event.getInstant().toString());
    line.put("level", event.getLevel().toString());
    line.put("logger", event.getLoggerName());
    line.put("thread", LogRedaction.clean(event.getThreadName()));
    line.put("message", LogRedaction.clean(String.valueOf(event.getFormattedMessage())));
    keys(event).forEach((key, value) -> put(line, key, value));
    if (event.getThrowableProxy() != null) {
      line.put("error", LogRedaction.clean(stackTraces.convert(event)));
    }
    return JSON.writeValueAsString(line) + "\n";
  }

  private static Map<String, @Nullable Object> keys(ILoggingEvent event) {
    var keys = new TreeMap<String, @Nullable Object>(event.getMDCPropertyMap());
    for (var subject : Subject.values()) {
      var id = keys.remove(subject.contextKey());
      if (id != null) {
        keys.put(subject.key(), id);
      }
    }
    if (event.getKeyValuePairs() != null) {
      event.getKeyValuePairs().forEach(pair -> keys.put(pair.key, pair.value));
    }
    return keys;
  }

  /** Numbers stay numbers; a key that is taken by the line itself gets an underscore before it. */
  private static void put(ObjectNode line, String key, @Nullable Object value) {
    var name = line.has(key) || key.equals("error") ? "_" + key : key;
    switch (value) {
      case null -> line.putNull(name);
      case Integer number -> line.put(name, number);
      case Long number -> line.put(name, number);
      case Double number -> line.put(name, number);
      case Boolean truth -> line.put(name, truth);
      default -> line.put(name, LogRedaction.clean(String.valueOf(value)));
    }
  }
}
