package mesh.dashboard.output;

import java.util.Locale;

/**
 * Text in which nothing hides: characters that control a terminal, reorder or conceal text are
 * shown as escapes such as {@code \x1b} or {@code \u202e}.
 */
public final class VisibleText {

  private VisibleText() {}

  /** One line: line breaks and tabs become escapes too. */
  public static String line(String text) {
    return visible(text, false);
  }

  /** Line feeds and tabs stay, and a carriage return before a line feed goes. */
  public static String block(String text) {
    return visible(text.replace("\r\n", "\n"), true);
  }

  /** The first line that says something, at most {@code characters} long. */
  public static String firstLine(String text, int characters) {
    String first =
        text.lines().map(String::strip).filter(it -> !it.isEmpty()).findFirst().orElse("");
    if (first.codePointCount(0, first.length()) > characters) {
      first = first.substring(0, first.offsetByCodePoints(0, characters - 1)).stripTrailing() + "…";
    }
    return line(first);
  }

  private static String visible(String text, boolean keepLines) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints()
        .forEach(it -> {
          if ((keepLines && (it == '\n' || it == '\t')) || !conceals(it)) {
            shown.appendCodePoint(it);
          } else {
            shown.append(escape(it));
          }
        });
    return shown.toString();
  }

  /** Whether this character would not be seen for what it is. */
  static boolean conceals(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      // Joiners shape emoji and several scripts; the rest of the format characters reorder or hide.
      case Character.FORMAT -> codePoint != 0x200c && codePoint != 0x200d;
      default -> false;
    };
  }

  static String escape(int codePoint) {
    if (codePoint < 0x100) {
      return String.format(Locale.ROOT, "\\x%02x", codePoint);
    }
    return String.format(Locale.ROOT, codePoint < 0x10000 ? "\\u%04x" : "\\u{%x}", codePoint);
  }
}
