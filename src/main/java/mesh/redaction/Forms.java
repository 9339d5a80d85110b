package mesh.redaction;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Set;

/** The texts in which a secret shows itself. */
final class Forms {

  /** The forms of shorter secrets are too much like any text. */
  private static final int SHORTEST = 8;

  private static final int SHORTEST_LINE = 12;

  /** Longer values are files, which no one encodes whole into a line; their lines are forms. */
  private static final int LONGEST_ENCODED = 8 << 10;

  /** As Git sends a token: {@code Authorization: Basic} of this and the token. */
  private static final String GIT_USER = "x-access-token:";

  private static final String UNRESERVED = "-._~";
  private static final String UNRESERVED_IN_SCRIPTS = "-._~!*'()";

  private Forms() {}

  /**
   * The secret itself; without its line end, as {@code $(cat file)} gives it; and with the line
   * ends that a terminal makes.
   */
  static void addExact(String secret, Set<String> forms) {
    var trimmed = secret;
    while (trimmed.endsWith("\n")) {
      trimmed = trimmed.substring(0, trimmed.length() - (trimmed.endsWith("\r\n") ? 2 : 1));
    }
    for (var form : new String[] {secret, trimmed}) {
      forms.add(form);
      forms.add(form.replace("\r\n", "\n").replace("\n", "\r\n"));
    }
  }

  /** Forms by which programs often show a secret; best effort. */
  static void addDerived(String secret, Set<String> forms) {
    var length = secret.getBytes(UTF_8).length;
    if (length < SHORTEST) {
      return;
    }
    secret
        .lines()
        .map(String::strip)
        .filter(line -> line.getBytes(UTF_8).length >= SHORTEST_LINE)
        .forEach(forms::add);
    if (length > LONGEST_ENCODED) {
      return;
    }
    forms.add(json(secret, false));
    forms.add(json(secret, true));
    forms.add(percent(secret, UNRESERVED));
    forms.add(percent(secret, UNRESERVED_IN_SCRIPTS));
    forms.add(percent(secret, UNRESERVED).replace("%20", "+"));
    addBase64(secret, forms);
    addBase64(GIT_USER + secret, forms);
  }

  private static String json(String secret, boolean ascii) {
    var json = new StringBuilder();
    for (var i = 0; i < secret.length(); i++) {
      var unit = secret.charAt(i);
      var letter = "\"\\\b\f\n\r\t".indexOf(unit);
      if (letter >= 0) {
        json.append('\\').append("\"\\bfnrt".charAt(letter));
      } else if (unit < ' ' || (ascii && unit > '~')) {
        json.append("\\u%04x".formatted((int) unit));
      } else {
        json.append(unit);
      }
    }
    return json.toString();
  }

  private static String percent(String secret, String unreserved) {
    var encoded = new StringBuilder();
    for (var value : secret.getBytes(UTF_8)) {
      var unit = (char) (value & 0xff);
      if (unit < 0x80 && (Character.isLetterOrDigit(unit) || unreserved.indexOf(unit) >= 0)) {
        encoded.append(unit);
      } else {
        encoded.append("%%%02X".formatted((int) unit));
      }
    }
    return encoded.toString();
  }

  /** What is the same whatever comes before and after, for each way to fall into groups of 3. */
  private static void addBase64(String secret, Set<String> forms) {
    var value = secret.getBytes(UTF_8);
    for (var offset = 0; offset < 3; offset++) {
      var shifted = new byte[offset + value.length];
      System.arraycopy(value, 0, shifted, offset, value.length);
      var from = (offset * 8 + 5) / 6;
      var to = shifted.length * 8 / 6;
      forms.add(Base64.getEncoder().encodeToString(shifted).substring(from, to));
      forms.add(Base64.getUrlEncoder().encodeToString(shifted).substring(from, to));
    }
  }
}
