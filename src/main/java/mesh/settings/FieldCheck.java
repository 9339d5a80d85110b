package mesh.settings;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.regex.Pattern;
import mesh.execution.catalog.ConfigField;
import mesh.web.Problem;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Whether a value is one for its field; what is kept of it. */
final class FieldCheck {

  private static final int LONGEST_TEXT = 4096;
  private static final int LONGEST_SECRET = 65_536;
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[::1]|\\[0:0:0:0:0:0:0:1]");

  private FieldCheck() {}

  /**
   * @throws Problem 400 {@code runtime_config_invalid}; never repeats the value
   */
  static String value(ConfigField field, JsonNode given) {
    return switch (field) {
      case ConfigField.Text _ -> line(field, given);
      case ConfigField.Address _ -> address(field, line(field, given));
      case ConfigField.Secret _ -> secret(field, given);
      case ConfigField.Choice choice -> choice(choice, given);
      case ConfigField.Toggle _ -> toggle(field, given);
    };
  }

  private static String line(ConfigField field, JsonNode given) {
    String text = text(field, given);
    if (text.isEmpty() || text.length() > LONGEST_TEXT) {
      throw invalid(field, "must be 1 to 4096 characters; null clears it");
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw invalid(field, "must be one line");
    }
    return text;
  }

  private static String secret(ConfigField field, JsonNode given) {
    String text = text(field, given);
    if (text.isEmpty() || text.length() > LONGEST_SECRET || text.indexOf('\0') >= 0) {
      throw invalid(
          field, "must be 1 to 65536 characters; null clears it, leaving it out keeps it");
    }
    return text;
  }

  /** Without blanks around it: they come along when something is pasted. */
  private static String text(ConfigField field, JsonNode given) {
    if (!given.isString()) {
      throw invalid(field, "must be a text");
    }
    return given.stringValue().strip();
  }

  private static String choice(ConfigField.Choice choice, JsonNode given) {
    String text = text(choice, given);
    if (!choice.options().contains(text)) {
      throw invalid(choice, "must be one of " + String.join(", ", choice.options()));
    }
    return text;
  }

  private static String toggle(ConfigField field, JsonNode given) {
    if (!given.isBoolean()) {
      throw invalid(field, "must be true or false");
    }
    return String.valueOf(given.booleanValue());
  }

  /** Secrets go there, so nobody between may read them: in clear only to this very machine. */
  private static String address(ConfigField field, String text) {
    URI uri;
    try {
      uri = new URI(text);
    } catch (URISyntaxException e) {
      throw invalid(field, "must be an address such as https://host/path");
    }
    @Nullable String host = uri.getHost();
    String scheme = String.valueOf(uri.getScheme()).toLowerCase(Locale.ROOT);
    if (host == null || !(scheme.equals("https") || scheme.equals("http"))) {
      throw invalid(field, "must be an address such as https://host/path");
    }
    if (uri.getRawUserInfo() != null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
      throw invalid(field, "must have no user, query or fragment");
    }
    if (scheme.equals("http") && !LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches()) {
      throw invalid(field, "must begin with https://; http is for this machine only");
    }
    return text.replaceFirst("/+$", "");
  }

  private static Problem invalid(ConfigField field, String rule) {
    return Problem.badRequest(
            "runtime_config_invalid", "%s (%s) %s.".formatted(field.label(), field.key(), rule))
        .with("field", field.key())
        .with("pointer", "/config/" + field.key());
  }
}
