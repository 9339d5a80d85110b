package mesh.settings;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import mesh.inference.Connection.Wire;
import mesh.outbound.Destination;
import mesh.secret.SealedText;
import mesh.secret.Secret;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.JsonNode;

/** Applies a change to a connection. */
@Component
class ModelForm {

  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");

  /** What a header can carry. */
  private static final Pattern KEY = Pattern.compile("[\\x21-\\x7e]{1,4096}");

  private final ModelKeys keys;

  ModelForm(ModelKeys keys) {
    this.keys = keys;
  }

  /** Where a service of this kind is if nothing else is said. */
  static String defaultUrl(Wire wire) {
    return switch (wire) {
      case ANTHROPIC -> "https://api.anthropic.com";
      case OPENAI -> "https://api.openai.com/v1";
    };
  }

  /**
   * @param before null for a new one
   * @throws Problem 400 {@code model_connection_invalid} that names each field, or {@code
   *     model_key_required} if the key there is was entered for another address
   */
  ModelRow apply(String name, @Nullable ModelRow before, ModelChange change) {
    var invalid = new LinkedHashMap<String, String>();
    if (!NAME.matcher(name).matches()) {
      invalid.put(
          "name", "Write the name with 1 to 63 of a-z, 0-9 and -, with no - at either end.");
    }
    var wire = wire(before, change.wire(), invalid);
    var allowPrivate =
        change.allowPrivate() == null
            ? before != null && before.allowPrivate()
            : change.allowPrivate();
    var url = url(before, wire, change.baseUrl(), allowPrivate, invalid);
    var key = key(change.key(), invalid);
    var prices = prices(before, change.prices(), invalid);
    demandValid(invalid);

    var kept = before == null ? null : before.key();
    var after =
        new ModelRow(
            name, wire, url, kept, before == null ? null : before.keySet(), allowPrivate, prices);
    if (change.key() == null) {
      demandThatKeyMayStay(before, after, kept);
      return after;
    }
    return after.with(key == null ? null : keys.seal(key, after));
  }

  /** It is sent to nobody but whom it was entered for. */
  private static void demandThatKeyMayStay(
      @Nullable ModelRow before, ModelRow after, @Nullable SealedText kept) {
    if (before != null && kept != null && !after.goesWhere(before)) {
      throw Problem.badRequest(
              "model_key_required",
              "The stored key is only ever sent to %s, for which it was entered: with another address or kind of service, enter the key again, or clear it."
                  .formatted(before.baseUrl()))
          .with("pointer", "/key");
    }
  }

  private static Wire wire(
      @Nullable ModelRow before, @Nullable String given, Map<String, String> invalid) {
    if (given == null && before != null) {
      return before.wire();
    }
    for (var wire : Wire.values()) {
      if (wire.name().toLowerCase(Locale.ROOT).equals(given)) {
        return wire;
      }
    }
    invalid.put("wire", "Say which protocol is spoken there: anthropic or openai.");
    return Wire.ANTHROPIC;
  }

  private static String url(
      @Nullable ModelRow before,
      Wire wire,
      @Nullable JsonNode given,
      boolean allowPrivate,
      Map<String, String> invalid) {
    var text = before == null ? defaultUrl(wire) : before.baseUrl();
    if (given != null) {
      text = given.isNull() ? defaultUrl(wire) : given.asString("");
    }
    try {
      var url = Destination.of(text, allowPrivate).uri();
      if (url.getRawQuery() != null) {
        invalid.put("base_url", "The address has a query: leave out the ? and what follows it.");
      }
      return url.toString().replaceFirst("/+$", "");
    } catch (IllegalArgumentException wrong) {
      invalid.put("base_url", String.valueOf(wrong.getMessage()));
      return "";
    }
  }

  private static @Nullable Secret key(@Nullable JsonNode given, Map<String, String> invalid) {
    if (given == null || given.isNull()) {
      return null;
    }
    // Blanks come along when something is pasted.
    var text = given.isString() ? given.stringValue().strip() : "";
    if (!KEY.matcher(text).matches()) {
      invalid.put("key", "Enter the key as 1 to 4,096 visible ASCII characters on one line.");
      return null;
    }
    return Secret.of(text);
  }

  private static List<ModelPrice> prices(
      @Nullable ModelRow before, @Nullable JsonNode given, Map<String, String> invalid) {
    if (given == null) {
      return before == null ? List.of() : before.prices();
    }
    try {
      return prices(given);
    } catch (IllegalArgumentException wrong) {
      invalid.put("prices", String.valueOf(wrong.getMessage()));
      return List.of();
    }
  }

  private static List<ModelPrice> prices(JsonNode given) {
    if (!given.isArray() || given.size() > ModelPrice.MOST) {
      throw new IllegalArgumentException(
          "Prices are a list of at most %d entries.".formatted(ModelPrice.MOST));
    }
    var models = new HashSet<String>();
    var prices = new ArrayList<ModelPrice>();
    for (var entry : given) {
      var price = price(entry);
      if (!models.add(price.model())) {
        throw new IllegalArgumentException("'%s' has two prices.".formatted(price.model()));
      }
      prices.add(price);
    }
    return prices;
  }

  private static ModelPrice price(JsonNode entry) {
    var model = entry.path("model");
    var cached = entry.path("cached_input");
    boolean numbers =
        isFinite(entry.path("input"))
            && isFinite(entry.path("output"))
            && (cached.isMissingNode() || cached.isNull() || isFinite(cached));
    if (!model.isString() || !numbers) {
      throw new IllegalArgumentException(
          "Each price has a model, and as numbers input, output and, where it differs, cached_input.");
    }
    return ModelPrice.of(
        model.stringValue().strip(),
        entry.get("input").decimalValue(),
        cached.isNumber() ? cached.decimalValue() : null,
        entry.get("output").decimalValue());
  }

  /** 1e999 is JSON, and no number that a computer has. */
  private static boolean isFinite(JsonNode value) {
    return value.isNumber() && Double.isFinite(value.asDouble(Double.NaN));
  }

  /** The first is what it is about; each is named. */
  static void demandValid(Map<String, String> invalid) {
    if (!invalid.isEmpty()) {
      var first = invalid.entrySet().iterator().next();
      throw Problem.badRequest("model_connection_invalid", first.getValue())
          .with("pointer", "/" + first.getKey())
          .with("invalid", invalid);
    }
  }
}
