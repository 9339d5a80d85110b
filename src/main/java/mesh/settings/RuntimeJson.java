package mesh.settings;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import mesh.execution.catalog.BackendDescriptor;
import mesh.execution.catalog.ConfigField;
import mesh.execution.catalog.DeclaredCapability;
import org.jspecify.annotations.Nullable;

/** Backends as the API shows them. */
final class RuntimeJson {

  private RuntimeJson() {}

  record Saved(Map<String, @Nullable Object> runtime, List<String> resetAgents) {}

  record Missing(String capability, String withoutIt) {}

  /** How well a capability holds, where a bare yes would lie. */
  record Graded(String capability, String grade, String staysOpen) {}

  static Map<String, @Nullable Object> runtime(RuntimeSetting setting) {
    BackendDescriptor descriptor = setting.descriptor();
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("name", descriptor.name().value());
    answer.put("title", descriptor.title());
    answer.put("summary", descriptor.summary());
    answer.put("enabled", setting.enabled());
    answer.put("configured", setting.configured());
    answer.put("default", setting.isDefault());
    answer.put("isolation", descriptor.isolation().name().toLowerCase(Locale.ROOT));
    answer.put("warning", descriptor.warning());
    answer.put("fields", descriptor.fields().stream().map(RuntimeJson::field).toList());
    answer.put("config", config(setting));
    answer.put(
        "capabilities",
        setting.capabilities().stream()
            .filter(DeclaredCapability::present)
            .map(DeclaredCapability::name)
            .toList());
    answer.put(
        "grades",
        setting.capabilities().stream()
            .filter(capability -> capability.present() && !capability.grade().isEmpty())
            .map(capability ->
                new Graded(capability.name(), capability.grade(), capability.staysOpen()))
            .toList());
    answer.put(
        "missing",
        setting.capabilities().stream()
            .filter(capability -> !capability.present())
            .map(capability -> new Missing(capability.name(), capability.withoutIt()))
            .toList());
    answer.put("max_size", setting.maxSize().orElse(null));
    return answer;
  }

  private static Map<String, @Nullable Object> field(ConfigField field) {
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("key", field.key());
    answer.put("type", type(field));
    answer.put("label", field.label());
    answer.put("help", field.help());
    answer.put("required", field.required());
    answer.put("fallback", RuntimeValues.fallback(field).map(it -> shown(field, it)).orElse(null));
    if (field instanceof ConfigField.Choice choice) {
      answer.put("options", choice.options());
    }
    return answer;
  }

  private static String type(ConfigField field) {
    return switch (field) {
      case ConfigField.Text _ -> "text";
      case ConfigField.Address _ -> "address";
      case ConfigField.Secret _ -> "secret";
      case ConfigField.Choice _ -> "choice";
      case ConfigField.Toggle _ -> "toggle";
    };
  }

  /** Every field, null if nothing was set; of a secret only whether and since when it is. */
  private static Map<String, @Nullable Object> config(RuntimeSetting setting) {
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    for (ConfigField field : setting.descriptor().fields()) {
      if (field instanceof ConfigField.Secret) {
        answer.put(field.key(), secret(setting.secrets().get(field.key())));
      } else {
        String value = setting.values().get(field.key());
        answer.put(field.key(), value == null ? null : shown(field, value));
      }
    }
    return answer;
  }

  private static Map<String, Object> secret(@Nullable Instant setAt) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("set", setAt != null);
    if (setAt != null) {
      answer.put("set_at", setAt);
    }
    return answer;
  }

  private static Object shown(ConfigField field, String value) {
    return field instanceof ConfigField.Toggle ? (Object) Boolean.valueOf(value) : value;
  }
}
