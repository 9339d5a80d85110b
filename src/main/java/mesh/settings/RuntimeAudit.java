package mesh.settings;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import mesh.activity.Activity;
import mesh.activity.ActorId;
import mesh.activity.Entry;
import org.springframework.stereotype.Component;

/** Tells the audit what changed about a backend; of secrets, only which ones there are. */
@Component
class RuntimeAudit {

  private final Activity activity;

  RuntimeAudit(Activity activity) {
    this.activity = activity;
  }

  /**
   * In the transaction of the change.
   *
   * @param reset slugs of the agents that are not pinned to it any more
   */
  void record(RuntimeRow before, RuntimeRow after, List<String> reset, ActorId actor) {
    String action =
        before.enabled() == after.enabled()
            ? "runtime.configured"
            : after.enabled() ? "runtime.enabled" : "runtime.disabled";
    activity.record(
        Entry.of(actor, action)
            .connection(after.name())
            .before(told(before, List.of(), List.of()))
            .after(told(after, entered(before, after), reset)));
  }

  private static List<String> entered(RuntimeRow before, RuntimeRow after) {
    return after.secrets().entrySet().stream()
        .filter(secret -> !secret.getValue().equals(before.secrets().get(secret.getKey())))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static Map<String, Object> told(
      RuntimeRow row, List<String> entered, List<String> reset) {
    Map<String, Object> config = new LinkedHashMap<>(row.config());
    row.secrets().keySet().forEach(key -> config.put(key, Map.of("set", true)));
    Map<String, Object> told = new LinkedHashMap<>();
    told.put("enabled", row.enabled());
    told.put("config", config);
    if (!entered.isEmpty()) {
      told.put("entered", entered);
    }
    if (!reset.isEmpty()) {
      told.put("reset_agents", reset);
    }
    return told;
  }
}
