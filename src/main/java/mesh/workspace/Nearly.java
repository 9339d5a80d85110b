package mesh.workspace;

import java.util.function.UnaryOperator;

/** Looks for why a text is not where somebody believes it is. */
final class Nearly {

  private Nearly() {}

  /** One sentence that helps. */
  static String hint(String content, String wanted) {
    if (has(content, wanted, it -> it.replace("\r\n", "\n"))) {
      return content.contains("\r\n")
          ? "Only the line ends differ: the file has \\r\\n, give them in old_text and new_text."
          : "Only the line ends differ: the file has \\n alone, give no \\r.";
    }
    if (has(content, wanted, it -> it.replaceAll("[ \\t]+(?=\\r?\\n|$)", ""))) {
      return "Only blanks at the ends of lines differ: read the file and give them as they are.";
    }
    if (has(content, wanted, Nearly::onlyWords)) {
      return "Only white space differs, such as tabs for blanks or the indentation: read the file and give it as it is.";
    }
    return "Read the file again: it may have been changed.";
  }

  private static boolean has(String content, String wanted, UnaryOperator<String> without) {
    var sought = without.apply(wanted);
    return !sought.isBlank() && without.apply(content).contains(sought);
  }

  private static String onlyWords(String text) {
    var words = new StringBuilder(text.length());
    boolean blank = true;
    for (int at = 0; at < text.length(); at++) {
      char it = text.charAt(at);
      if (!Character.isWhitespace(it)) {
        words.append(it);
        blank = false;
      } else if (!blank) {
        words.append(' ');
        blank = true;
      }
    }
    return words.toString().strip();
  }
}
