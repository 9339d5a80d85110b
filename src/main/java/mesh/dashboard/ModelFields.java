package mesh.dashboard;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import mesh.dashboard.output.VisibleText;
import mesh.dashboard.view.Field;
import mesh.dashboard.view.FieldError;
import mesh.dashboard.view.ModelsPage;
import mesh.dashboard.view.Option;
import mesh.dashboard.view.SettingInput;
import mesh.dashboard.view.When;
import mesh.inference.Connection.Wire;
import mesh.settings.ModelChange;
import mesh.settings.ModelConnections;
import mesh.settings.ModelPrice;
import mesh.settings.ModelSetting;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The form of a connection: drawn, read, and told what is wrong with it. */
final class ModelFields {

  /** The form of a connection that is not there yet. */
  static final String NEW = "new";

  private static final List<String> NAMES =
      List.of("name", "wire", "base_url", "allow_private", "key", "prices");

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private ModelFields() {}

  /** One that is called "new" must not look like the new one. */
  static String form(String connection) {
    return "at-" + connection;
  }

  static String id(String form, String field) {
    return form + "-" + field;
  }

  static String words(Wire wire) {
    return switch (wire) {
      case ANTHROPIC -> "Anthropic Messages";
      case OPENAI -> "OpenAI Chat Completions, or compatible";
    };
  }

  /**
   * @param setting null for a new one
   * @param setAt when its key was entered; null without one
   */
  static ModelsPage.Form form(
      @Nullable ModelSetting setting, @Nullable When setAt, RefusedForm refused) {
    var form = setting == null ? NEW : form(setting.name());
    var inputs = new ArrayList<SettingInput>();
    if (setting == null) {
      inputs.add(
          new SettingInput.Line(
              field(form, "name", "Name", "What agents call it: a-z, 0-9 and dashes.", "", refused),
              "",
              false));
    }
    inputs.add(wire(form, setting, refused));
    inputs.add(
        new SettingInput.Line(
            field(
                form,
                "base_url",
                "Address",
                "Leave it empty for the service’s own: %s or %s."
                    .formatted(
                        ModelConnections.defaultUrl(Wire.ANTHROPIC),
                        ModelConnections.defaultUrl(Wire.OPENAI)),
                setting == null || own(setting) ? "" : setting.baseUrl(),
                refused),
            "",
            true));
    var mayBePrivate =
        field(
            form,
            "allow_private",
            "Allow private addresses",
            "For a model server on this machine or in your own network: Mesh then connects there, and may do so over http://. Cloud metadata is never connected to.",
            String.valueOf(setting != null && setting.allowPrivate()),
            refused);
    inputs.add(new SettingInput.Toggle(mayBePrivate, Boolean.parseBoolean(mayBePrivate.value())));
    inputs.add(
        new SettingInput.Secret(
            field(
                form,
                "key",
                "Key",
                "Sent with each question to this address and to no other. It never enters a sandbox and is never shown again. With another address or kind of service it must be entered anew.",
                "",
                refused),
            setAt,
            true));
    return new ModelsPage.Form(refused.is(form), inputs, prices(form, setting, refused));
  }

  private static boolean own(ModelSetting setting) {
    return setting.baseUrl().equals(ModelConnections.defaultUrl(setting.wire()));
  }

  private static SettingInput wire(
      String form, @Nullable ModelSetting setting, RefusedForm refused) {
    var chosen = setting == null ? Wire.ANTHROPIC : setting.wire();
    var field =
        field(
            form, "wire", "Kind of service", "The protocol that it speaks.", word(chosen), refused);
    return new SettingInput.Choice(
        field,
        Stream.of(Wire.values())
            .map(it -> new Option(word(it), words(it), word(it).equals(field.value())))
            .toList());
  }

  private static Field prices(String form, @Nullable ModelSetting setting, RefusedForm refused) {
    var id = id(form, "prices");
    var stored =
        setting == null
            ? ""
            : setting.prices().stream().map(ModelFields::line).collect(Collectors.joining("\n"));
    return new Field(
        id,
        "prices",
        "Prices",
        "One model on each line: its name and the price of a million tokens read, read from a cache, and written, such as: big-model 3 0.30 15. In any currency. Without a price, costs are not counted.",
        VisibleText.block(refused.typed().getOrDefault(id, stored)),
        refused.error(id));
  }

  private static String line(ModelPrice price) {
    return String.join(
        " ",
        price.model(),
        price.input().toPlainString(),
        price.cachedInput().toPlainString(),
        price.output().toPlainString());
  }

  private static Field field(
      String form, String name, String label, String hint, String value, RefusedForm refused) {
    var id = id(form, name);
    return new Field(
        id, name, label, hint, refused.typed(id, VisibleText.line(value)), refused.error(id));
  }

  static String word(Wire wire) {
    return wire.name().toLowerCase(Locale.ROOT);
  }

  /** As sent. An empty key stays what it is, a box that is not ticked is not sent. */
  static ModelChange change(Map<String, String> sent) {
    var url = sent.getOrDefault("base_url", "").strip();
    var key = sent.getOrDefault("key", "").strip();
    return new ModelChange(
        sent.getOrDefault("wire", ""),
        url.isEmpty() ? JSON.nullNode() : JSON.stringNode(url),
        key.isEmpty() ? null : JSON.stringNode(key),
        sent.containsKey("allow_private"),
        prices(sent.getOrDefault("prices", "")));
  }

  private static JsonNode prices(String lines) {
    var prices = JSON.arrayNode();
    for (var line : lines.lines().map(String::strip).filter(it -> !it.isEmpty()).toList()) {
      var words = List.of(line.split("\\s+"));
      int numbers = words.size() >= 4 ? 3 : 2;
      var price = prices.addObject();
      if (words.size() <= numbers) {
        // Refused as a price without numbers.
        price.put("model", line);
        continue;
      }
      int at = words.size() - numbers;
      price.put("model", String.join(" ", words.subList(0, at)));
      put(price, "input", words.get(at));
      if (numbers == 3) {
        put(price, "cached_input", words.get(at + 1));
      }
      put(price, "output", words.getLast());
    }
    return prices;
  }

  private static void put(ObjectNode price, String field, String number) {
    try {
      price.put(field, new BigDecimal(number));
    } catch (NumberFormatException word) {
      price.put(field, number);
    }
  }

  /** By the field's id and without the key: what a refused form still has. */
  static Map<String, String> typed(String form, Map<String, String> sent) {
    Map<String, String> typed = new LinkedHashMap<>();
    for (var name : NAMES) {
      switch (name) {
        case "key" -> {}
        case "allow_private" ->
            typed.put(id(form, name), String.valueOf(sent.containsKey("allow_private")));
        default -> typed.put(id(form, name), sent.getOrDefault(name, ""));
      }
    }
    return typed;
  }

  /**
   * @throws Problem again, if it is none of the form's
   */
  static List<FieldError> errors(String form, Problem problem, Map<String, String> sent) {
    var errors = new LinkedHashMap<String, String>();
    switch (problem.code()) {
      case "model_key_required" -> errors.put("key", problem.sentence());
      case "model_connection_invalid" -> {
        if (problem.extras().get("invalid") instanceof Map<?, ?> invalid) {
          invalid.forEach((field, why) -> errors.put(field.toString(), why.toString()));
        }
      }
      default -> throw problem;
    }
    if (!sent.getOrDefault("key", "").isBlank()) {
      errors.putIfAbsent("key", "Enter the key once more: a form that is refused forgets it.");
    }
    return errors.entrySet().stream()
        .map(it -> new FieldError(id(form, it.getKey()), VisibleText.line(it.getValue())))
        .toList();
  }
}
