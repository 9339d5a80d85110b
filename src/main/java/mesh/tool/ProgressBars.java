package mesh.tool;

import java.util.ArrayList;
import java.util.List;

/**
 * Reduces lines that a program rewrote in place, such as progress bars, to what a terminal would
 * show of them at the end. Knows a carriage return, a backspace, and the sequences that erase in a
 * line or move to a column of it; colours stay with the characters they were written before. Lines
 * without any of these stay as they are, also those that end with a carriage return and a line
 * feed.
 */
public final class ProgressBars {

  private static final char ESCAPE = 0x1b;

  private ProgressBars() {}

  /** Takes time in proportion to the text. */
  public static String collapse(String text) {
    if (text.indexOf('\r') < 0 && text.indexOf('\b') < 0 && text.indexOf(ESCAPE) < 0) {
      return text;
    }
    var shown = new StringBuilder(text.length());
    int from = 0;
    while (from < text.length()) {
      int end = text.indexOf('\n', from);
      int to = end < 0 ? text.length() : end;
      line(text.substring(from, to), end >= 0, shown);
      if (end >= 0) {
        shown.append('\n');
      }
      from = to + 1;
    }
    return shown.toString();
  }

  private static void line(String line, boolean ended, StringBuilder shown) {
    boolean isPlain = ended && line.endsWith("\r") && line.indexOf('\r') == line.length() - 1;
    var content = isPlain ? line.substring(0, line.length() - 1) : line;
    if (content.indexOf('\r') >= 0 || content.indexOf('\b') >= 0 || content.indexOf(ESCAPE) >= 0) {
      shown.append(new Row().write(content));
    } else {
      shown.append(content);
    }
    if (isPlain) {
      shown.append('\r');
    }
  }

  /** One line of a terminal, as wide as need be. */
  private static final class Row {

    /** A sequence moves no farther: what is beyond is a mistake. */
    private static final int WIDEST = 500;

    private final List<String> cells = new ArrayList<>();
    private final StringBuilder colours = new StringBuilder();
    private int column;

    String write(String line) {
      for (int at = 0; at < line.length(); ) {
        int next = line.codePointAt(at);
        int end = at + Character.charCount(next);
        switch (next) {
          case '\r' -> column = 0;
          case '\b' -> column = Math.max(0, column - 1);
          case ESCAPE -> end = sequence(line, at);
          default -> put(line.substring(at, end));
        }
        at = end;
      }
      return String.join("", cells) + colours;
    }

    private void put(String character) {
      while (cells.size() <= column) {
        cells.add(" ");
      }
      cells.set(column++, colours + character);
      colours.setLength(0);
    }

    /** Where what follows the sequence begins. */
    private int sequence(String line, int at) {
      int end = at + 1;
      if (end == line.length() || line.charAt(end) != '[') {
        colours.append(ESCAPE);
        return end;
      }
      end++;
      while (end < line.length() && line.charAt(end) >= 0x20 && line.charAt(end) < 0x40) {
        end++;
      }
      if (end == line.length()) {
        colours.append(line, at, end);
        return end;
      }
      var given = line.substring(at + 2, end);
      switch (line.charAt(end)) {
        case 'K' -> erase(given);
        case 'G' -> column = Math.max(1, number(given, 1)) - 1;
        default -> colours.append(line, at, end + 1);
      }
      return end + 1;
    }

    private void erase(String what) {
      switch (number(what, 0)) {
        case 0 -> cells.subList(Math.min(column, cells.size()), cells.size()).clear();
        case 1 -> {
          for (int i = 0; i < Math.min(column + 1, cells.size()); i++) {
            cells.set(i, " ");
          }
        }
        default -> cells.clear();
      }
    }

    private static int number(String given, int otherwise) {
      return given.matches("[0-9]{1,5}") ? Math.min(Integer.parseInt(given), WIDEST) : otherwise;
    }
  }
}
