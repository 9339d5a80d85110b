package mesh.workspace;

import java.util.ArrayList;
import java.util.List;

/** Writes the alternatives of a pattern out: {@code a{b,c}} is {@code ab} and {@code ac}. */
final class Braces {

  private static final int MOST = 64;

  private Braces() {}

  /**
   * @throws IllegalArgumentException if a brace has no end, or there are too many
   */
  static List<String> expand(String text) {
    var all = new ArrayList<String>();
    expand("", text, all);
    return all;
  }

  private static void expand(String before, String text, List<String> all) {
    int open = next(text, 0, "{");
    if (open == text.length()) {
      if (all.size() == MOST) {
        throw new IllegalArgumentException("it has more than " + MOST + " alternatives");
      }
      all.add(before + text);
      return;
    }
    var alternatives = new ArrayList<String>();
    int depth = 0;
    int from = open + 1;
    for (int at = open; ; at = next(text, at + 1, "{},")) {
      if (at >= text.length()) {
        throw new IllegalArgumentException("a { has no }");
      }
      char it = text.charAt(at);
      depth += it == '{' ? 1 : it == '}' ? -1 : 0;
      if (depth == 0 || (depth == 1 && it == ',')) {
        alternatives.add(text.substring(from, at));
        from = at + 1;
      }
      if (depth == 0) {
        break;
      }
    }
    for (var alternative : alternatives) {
      expand(before + text.substring(0, open), alternative + text.substring(from), all);
    }
  }

  /** Where the next of some characters is that is neither escaped nor in a set. */
  private static int next(String text, int from, String wanted) {
    for (int at = from; at < text.length(); at++) {
      char it = text.charAt(at);
      if (wanted.indexOf(it) >= 0) {
        return at;
      }
      if (it == '\\') {
        at++;
      } else if (it == '[') {
        int end = text.indexOf(']', at + 2);
        at = end < 0 ? at : end;
      }
    }
    return text.length();
  }
}
