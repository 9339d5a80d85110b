package mesh.dashboard;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Fact;
import mesh.dashboard.view.Field;
import mesh.dashboard.view.Option;
import mesh.dashboard.view.SettingInput;
import mesh.dashboard.view.When;
import mesh.execution.catalog.ConfigField;
import mesh.settings.RuntimeChange;
import mesh.settings.RuntimeSetting;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The fields of a runtime's descriptor: as a form, and read from one that was sent. */
final class RuntimeFields {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Keeps a descriptor's keys apart from what else a form carries. */
  private static final String PREFIX = "config.";

  private RuntimeFields() {}

  /** Of the field on the page, where there are those of all runtimes. */
  static String id(RuntimeSetting runtime, String key) {
    return runtime.descriptor().name() + "-" + key;
  }

  static List<SettingInput> inputs(RuntimeSetting runtime, RefusedForm refused, Instant now) {
    return runtime.descriptor().fields().stream()
        .map(field -> input(runtime, field, refused, now))
        .toList();
  }

  private static SettingInput input(
      RuntimeSetting runtime, ConfigField field, RefusedForm refused, Instant now) {
    String present = runtime.value(field).orElse("");
    String set = runtime.values().getOrDefault(field.key(), "");
    return switch (field) {
      case ConfigField.Text text ->
          new SettingInput.Line(
              drawn(runtime, field, set, refused), text.fallback(), !text.required());
      case ConfigField.Address address ->
          new SettingInput.Line(drawn(runtime, field, set, refused), address.fallback(), true);
      case ConfigField.Secret secret -> {
        Instant setAt = runtime.secrets().get(field.key());
        yield new SettingInput.Secret(
            drawn(runtime, field, "", refused),
            setAt == null ? null : When.of(setAt, now),
            !secret.required());
      }
      case ConfigField.Choice choice -> {
        Field drawn = drawn(runtime, field, present, refused);
        yield new SettingInput.Choice(
            drawn,
            choice.options().stream()
                .map(it -> new Option(it, VisibleText.line(it), it.equals(drawn.value())))
                .toList());
      }
      case ConfigField.Toggle _ -> {
        Field drawn = drawn(runtime, field, present, refused);
        yield new SettingInput.Toggle(drawn, Boolean.parseBoolean(drawn.value()));
      }
    };
  }

  private static Field drawn(
      RuntimeSetting runtime, ConfigField field, String value, RefusedForm refused) {
    String id = id(runtime, field.key());
    return new Field(
        id,
        PREFIX + field.key(),
        field.label(),
        field.help(),
        refused.typed(id, VisibleText.line(value)),
        refused.error(id));
  }

  /** For who may only look. */
  static List<Fact> facts(RuntimeSetting runtime, Instant now) {
    List<Fact> facts = new ArrayList<>();
    for (ConfigField field : runtime.descriptor().fields()) {
      Optional<String> value =
          switch (field) {
            case ConfigField.Secret _ ->
                Optional.ofNullable(runtime.secrets().get(field.key()))
                    .map(it -> "set " + When.of(it, now).spoken());
            case ConfigField.Toggle _ ->
                runtime.value(field).map(it -> Boolean.parseBoolean(it) ? "on" : "off");
            case ConfigField.Text _, ConfigField.Address _, ConfigField.Choice _ ->
                runtime.value(field).map(VisibleText::line);
          };
      facts.add(Fact.of(field.label(), value.orElse("not set")));
    }
    return facts;
  }

  /**
   * What was sent, as a change of what is set. What was left as it shows stays unset if it was; an
   * empty secret stays what it is.
   *
   * @param enabled null leaves it
   */
  static RuntimeChange change(
      RuntimeSetting runtime, Map<String, String> sent, @Nullable Boolean enabled) {
    Map<String, JsonNode> config = new LinkedHashMap<>();
    for (ConfigField field : runtime.descriptor().fields()) {
      String text = sent(field, sent);
      String set = runtime.values().get(field.key());
      Optional<String> shown = runtime.value(field);
      switch (field) {
        case ConfigField.Secret _ -> {
          if (!text.isEmpty()) {
            config.put(field.key(), JSON.stringNode(text));
          }
        }
        case ConfigField.Text _, ConfigField.Address _ -> {
          if (!text.isEmpty()) {
            config.put(field.key(), JSON.stringNode(text));
          } else if (set != null) {
            config.put(field.key(), JSON.nullNode());
          }
        }
        case ConfigField.Choice _ -> {
          if (set != null || !shown.equals(Optional.of(text))) {
            config.put(field.key(), JSON.stringNode(text));
          }
        }
        case ConfigField.Toggle _ -> {
          if (set != null || !shown.equals(Optional.of(text))) {
            config.put(field.key(), JSON.booleanNode(Boolean.parseBoolean(text)));
          }
        }
      }
    }
    return new RuntimeChange(enabled, config);
  }

  /** By the field's id and without secrets: what a refused form still has. */
  static Map<String, String> typed(RuntimeSetting runtime, Map<String, String> sent) {
    Map<String, String> typed = new LinkedHashMap<>();
    for (ConfigField field : runtime.descriptor().fields()) {
      switch (field) {
        case ConfigField.Secret _ -> {}
        case ConfigField.Text _,
            ConfigField.Address _,
            ConfigField.Choice _,
            ConfigField.Toggle _ ->
            typed.put(id(runtime, field.key()), sent(field, sent));
      }
    }
    return typed;
  }

  /** Whether a secret was entered, which a refused form loses. */
  static boolean lost(ConfigField field, Map<String, String> sent) {
    return field instanceof ConfigField.Secret && !sent(field, sent).isEmpty();
  }

  /** A box that is not ticked is not sent at all. */
  private static String sent(ConfigField field, Map<String, String> sent) {
    String text = sent.getOrDefault(PREFIX + field.key(), "");
    return switch (field) {
      case ConfigField.Toggle _ -> String.valueOf(!text.isEmpty());
      // Forms send every line break as two characters, which keys and certificates do not bear.
      case ConfigField.Secret _ -> text.replace("\r\n", "\n").strip();
      case ConfigField.Text _, ConfigField.Address _, ConfigField.Choice _ -> text.strip();
    };
  }
}
