package mesh.settings;

import java.util.Locale;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * One entry of an allowlist, brought into the only form that is stored: as the DNS has the name, in
 * lower case, without a trailing dot; a Unicode name as UTS #46 maps it, without its transitional
 * rules, as browsers do.
 *
 * <p>Whatever is no host name is refused and not guessed at: an entry that means something else
 * than it says is a hole in the list. That includes every form of an IP address, since the list is
 * of names and raw addresses are never allowed.
 */
sealed interface EgressDomain {

  /** Good, as it is stored. */
  record Valid(String domain) implements EgressDomain {}

  /**
   * @param why completes the sentence "'…' …"
   */
  record Invalid(String why) implements EgressDomain {}

  int LONGEST_NAME = 253;

  Pattern LABEL = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  Pattern NUMBER = Pattern.compile("[0-9]+|0x[0-9a-f]*");

  static EgressDomain of(@Nullable String entry) {
    var text = entry == null ? "" : entry.strip();
    var why = wrongShape(text);
    if (!why.isEmpty()) {
      return new Invalid(why);
    }
    boolean wildcard = text.startsWith("*.");
    var name = wildcard ? text.substring(2) : text;
    if (name.contains("*")) {
      return new Invalid(
          "has a star in the middle: write *.example.com, with the star as the whole first part");
    }
    var ascii = ascii(name.endsWith(".") ? name.substring(0, name.length() - 1) : name);
    if (ascii == null) {
      return new Invalid("is not a name that the DNS could have");
    }
    why = wrongName(ascii, wildcard);
    return why.isEmpty() ? new Valid((wildcard ? "*." : "") + ascii) : new Invalid(why);
  }

  private static String wrongShape(String text) {
    if (text.isEmpty()) {
      return "is empty: remove the line";
    }
    if (text.equals("*") || text.equals("*.")) {
      return "would allow every host: choose the mode open for that";
    }
    if (text.contains("://")) {
      return "is an address with a scheme: write only the host name";
    }
    if (text.contains("/") || text.contains("\\") || text.contains("?") || text.contains("#")) {
      return "has a path: write only the host name, since a path cannot be enforced";
    }
    if (text.contains("@")) {
      return "has a user in it: write only the host name";
    }
    if (text.contains("[") || text.contains("]") || text.indexOf(':') != text.lastIndexOf(':')) {
      return "is an IP address: only names can be allowed";
    }
    if (text.contains(":")) {
      return "has a port: write only the host name, which stands for all its ports";
    }
    if (text.contains("..") || text.startsWith(".")) {
      return "has two dots in a row or one at the start";
    }
    if (text.contains("%")) {
      return "has a percent sign, which no host name has";
    }
    return "";
  }

  /** Null if it cannot be one. */
  private static @Nullable String ascii(String name) {
    try {
      // The library maps names for connections, so what is stored is what clients will say.
      return new HttpUrl.Builder().scheme("https").host(name).build().host();
    } catch (IllegalArgumentException unmappable) {
      return null;
    }
  }

  private static String wrongName(String name, boolean wildcard) {
    var labels = name.split("\\.", -1);
    if (NUMBER.matcher(labels[labels.length - 1]).matches()) {
      return "is an IP address: only names can be allowed";
    }
    for (var label : labels) {
      if (!LABEL.matcher(label).matches()) {
        return "has a part that no host name has: '%s'".formatted(label);
      }
    }
    if (name.length() > LONGEST_NAME) {
      return "is longer than %d characters".formatted(LONGEST_NAME);
    }
    if (labels[labels.length - 1].toLowerCase(Locale.ROOT).equals("localhost")
        || name.equals("localhost.localdomain")) {
      return "is the sandbox itself: it can always reach its own services";
    }
    if (labels.length < 2) {
      return wildcard
          ? "would allow a whole top-level domain: name at least two parts after the star"
          : "has one part only: write the full name, such as host.example.com";
    }
    return "";
  }
}
