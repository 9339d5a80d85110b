package mesh.activity;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Lines of comma-separated values as RFC 4180 has them. A cell that a spreadsheet would take for a
 * formula, and might run, begins with a single quote: then it is text.
 */
final class Csv {

  private static final String FORMULA = "=+-@\t\r";
  private static final List<String> QUOTED = List.of("\"", ",", "\r", "\n");

  private Csv() {}

  /**
   * @param cells null for empty ones
   */
  static String line(@Nullable Object... cells) {
    return Arrays.stream(cells).map(Csv::cell).collect(Collectors.joining(",", "", "\r\n"));
  }

  private static String cell(@Nullable Object value) {
    String text = value == null ? "" : value.toString();
    if (!text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0) {
      text = "'" + text;
    }
    return QUOTED.stream().anyMatch(text::contains) ? '"' + text.replace("\"", "\"\"") + '"' : text;
  }
}
