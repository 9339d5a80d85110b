package mesh.settings;

import java.util.HashMap;
import java.util.Map;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.RuntimeCatalog;
import mesh.web.Problem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Gives backends their first row, before anything is served: a new installation begins with those
 * that need no configuration, and one whose environment variables are set is claimed. Where there
 * is a row, the row wins, for ever.
 */
@Component
class RuntimeStart implements SmartInitializingSingleton {

  private static final Logger log = LoggerFactory.getLogger(RuntimeStart.class);

  private final RuntimeCatalog catalog;
  private final RuntimeRepository rows;
  private final AgentRuntimes runtimes;
  private final Environment environment;

  RuntimeStart(
      RuntimeCatalog catalog,
      RuntimeRepository rows,
      AgentRuntimes runtimes,
      Environment environment) {
    this.catalog = catalog;
    this.rows = rows;
    this.runtimes = runtimes;
    this.environment = environment;
  }

  @Override
  public void afterSingletonsInstantiated() {
    boolean firstStart = rows.all().isEmpty();
    for (BackendDescriptor descriptor : catalog.descriptors()) {
      if (firstStart && descriptor.enabledOnFirstStart()) {
        begin(descriptor, Map.of(), "runtime enabled for the first start");
      }
    }
    for (BackendDescriptor descriptor : catalog.descriptors()) {
      Map<String, JsonNode> claim = claim(descriptor);
      if (!claim.isEmpty()) {
        begin(descriptor, claim, "runtime claimed from the environment");
      }
    }
  }

  /** The fields its variables fill; empty unless all of them are set. */
  private Map<String, JsonNode> claim(BackendDescriptor descriptor) {
    Map<String, JsonNode> fields = new HashMap<>();
    for (Map.Entry<String, String> claim : descriptor.claims().entrySet()) {
      String value = environment.getProperty(claim.getKey(), "").strip();
      if (value.isEmpty()) {
        return Map.of();
      }
      fields.put(claim.getValue(), JsonNodeFactory.instance.stringNode(value));
    }
    return fields;
  }

  private void begin(BackendDescriptor descriptor, Map<String, JsonNode> fields, String event) {
    try {
      if (runtimes.begin(descriptor, new RuntimeChange(true, fields))) {
        log.atInfo().addKeyValue("runtime", descriptor.name()).log(event);
      }
    } catch (Problem problem) {
      log.atWarn()
          .addKeyValue("runtime", descriptor.name())
          .addKeyValue("because", problem.sentence())
          .log("runtime not enabled at the first start");
    }
  }
}
