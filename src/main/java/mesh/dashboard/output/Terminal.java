package mesh.dashboard.output;

import java.util.ArrayList;
import java.util.List;

/**
 * What a program printed, as rows of styled text. Colours and weights are kept; every other
 * sequence (window titles, links, cursor movement) is dropped; of a line redrawn with carriage
 * returns the last state counts; other control characters are shown as escapes.
 */
public final class Terminal {

  /** Longer lines are cut into rows of this many characters, so that a page can fold them. */
  static final int ROW_CHARACTERS = 1000;

  private static final char ESC = 0x1b;
  private static final char BEL = 0x07;

  private final String text;
  private int at;

  private final Pen pen = new Pen();
  private final List<Row> rows = new ArrayList<>();
  private List<Span> spans = new ArrayList<>();
  private StringBuilder run = new StringBuilder();
  private String runClasses = "";
  private int width;

  private Terminal(String text) {
    this.text = text;
  }

  /** The rows of this output; none if it is empty. */
  public static List<Row> rows(String text) {
    Terminal terminal = new Terminal(text);
    terminal.read();
    return List.copyOf(terminal.rows);
  }

  private void read() {
    while (at < text.length()) {
      int c = text.codePointAt(at);
      at += Character.charCount(c);
      switch (c) {
        case '\n' -> endRow();
        case '\r' -> carriageReturn();
        case '\t' -> put("\t", "");
        case ESC -> sequence();
        default -> {
          if (VisibleText.conceals(c)) {
            put(VisibleText.escape(c), "esc");
          } else {
            put(Character.toString(c), "");
          }
        }
      }
    }
    if (width > 0 || !run.isEmpty() || !spans.isEmpty()) {
      endRow();
    }
  }

  /** Before a line feed it is half of a line end; otherwise the line is about to be redrawn. */
  private void carriageReturn() {
    if (at < text.length() && text.charAt(at) != '\n' && text.charAt(at) != '\r') {
      spans = new ArrayList<>();
      run = new StringBuilder();
      width = 0;
    }
  }

  private void put(String piece, String extraClass) {
    if (width >= ROW_CHARACTERS) {
      endRow();
    }
    String classes = extraClass.isEmpty() ? pen.classes() : extraClass;
    if (!classes.equals(runClasses)) {
      flush();
      runClasses = classes;
    }
    run.append(piece);
    width += piece.length();
  }

  private void flush() {
    if (!run.isEmpty()) {
      spans.add(new Span(run.toString(), runClasses));
      run = new StringBuilder();
    }
  }

  private void endRow() {
    flush();
    rows.add(new Row(spans));
    spans = new ArrayList<>();
    width = 0;
  }

  private void sequence() {
    if (at >= text.length()) {
      put(VisibleText.escape(ESC), "esc");
      return;
    }
    char kind = text.charAt(at++);
    switch (kind) {
      case '[' -> controlSequence();
      // Titles, links, device strings: run to their terminator.
      case ']', 'P', 'X', '^', '_' -> skipString();
      // Character sets and the like: one more character.
      case '(', ')', '*', '+', '-', '.', '/', '#', '%', ' ' ->
          at =
              Math.min(at + (at < text.length() && text.charAt(at) != '\n' ? 1 : 0), text.length());
      default -> {
        if (kind < 0x30 || kind > 0x7e) {
          // Not a sequence at all: show the escape and read the character again.
          at--;
          put(VisibleText.escape(ESC), "esc");
        }
      }
    }
  }

  private void controlSequence() {
    int start = at;
    while (at < text.length() && text.charAt(at) >= 0x20 && text.charAt(at) <= 0x3f) {
      at++;
    }
    if (at >= text.length() || text.charAt(at) < 0x40 || text.charAt(at) > 0x7e) {
      // Cut off: what came so far was no text either.
      return;
    }
    String parameters = text.substring(start, at);
    if (text.charAt(at++) == 'm') {
      pen.apply(codes(parameters));
    }
  }

  private static List<Integer> codes(String parameters) {
    List<Integer> codes = new ArrayList<>();
    for (String part : parameters.split("[;:]", -1)) {
      if (part.isEmpty()) {
        codes.add(0);
      } else if (part.length() <= 4 && part.chars().allMatch(it -> it >= '0' && it <= '9')) {
        codes.add(Integer.parseInt(part));
      }
    }
    return codes;
  }

  /** Ends at its terminator, or at the line's end: an open string must not hide what follows. */
  private void skipString() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '\n') {
        return;
      }
      at++;
      if (c == BEL) {
        return;
      }
      if (c == ESC && at < text.length() && text.charAt(at) == '\\') {
        at++;
        return;
      }
    }
  }
}
