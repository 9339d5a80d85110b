package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import mesh.redaction.Redactions;
import mesh.tool.ToolRefusal;

/**
 * One exact replacement in a file's bytes. What it does not replace stays as it is, byte for byte:
 * line ends, a byte order mark, what is not shown.
 *
 * @param path for sentences
 * @param expected how many times the old text must be there
 */
record TextEdit(String path, String oldText, String newText, int expected) {

  private static final int MOST_LINES_NAMED = 20;

  /**
   * The file as it is to be.
   *
   * @throws ToolRefusal.BadArguments if it cannot be done exactly as asked
   */
  Edited apply(byte[] content, Redactions redactions) {
    demandText(content);
    var wanted = oldText.getBytes(UTF_8);
    var places = places(content, wanted);
    if (places.isEmpty()) {
      throw new ToolRefusal.BadArguments(
          "edit_not_found",
          "/old_text",
          "The text is not in %s: nothing was changed. %s"
              .formatted(path, Nearly.hint(new String(content, UTF_8), oldText)));
    }
    if (places.size() != expected) {
      throw new ToolRefusal.BadArguments(
          "edit_not_unique",
          "/old_text",
          "The text is in %s %d times, at lines %s, and not %d times: nothing was changed. Give more of what is around the one that is meant, or set expected_replacements."
              .formatted(path, places.size(), lines(content, places), expected));
    }
    for (int place : places) {
      int from = Math.max(0, place - redactions.margin());
      int to = Math.min(content.length, place + wanted.length + redactions.margin());
      var around = Arrays.copyOfRange(content, from, to);
      if (redactions.window(around, place - from, place - from + wanted.length).count() > 0) {
        throw new ToolRefusal.BadArguments(
            "content_redacted",
            "/old_text",
            "The text covers a secret, or a part of one, in "
                + path
                + ": nothing was changed. Change that place with a command.");
      }
    }
    return replaced(content, wanted, places);
  }

  private void demandText(byte[] content) {
    boolean hasNul = false;
    for (byte it : content) {
      hasNul |= it == 0;
    }
    if (hasNul || !Utf8.isValid(content, content.length)) {
      throw new ToolRefusal.BadArguments(
          "file_binary",
          "/path",
          path
              + " is not text in UTF-8: nothing was changed. Change it with a command, or write it whole.");
    }
  }

  private Edited replaced(byte[] content, byte[] wanted, List<Integer> places) {
    var replacement = newText.getBytes(UTF_8);
    var bytes = new ByteArrayOutputStream(content.length + replacement.length);
    var changed = new ArrayList<Integer>();
    int at = 0;
    for (int place : places) {
      bytes.write(content, at, place - at);
      changed.add(bytes.size());
      bytes.writeBytes(replacement);
      at = place + wanted.length;
    }
    bytes.write(content, at, content.length - at);
    return new Edited(bytes.toByteArray(), changed, replacement.length);
  }

  private static List<Integer> places(byte[] content, byte[] wanted) {
    var places = new ArrayList<Integer>();
    for (int at = 0; at <= content.length - wanted.length; ) {
      if (content[at] == wanted[0]
          && Arrays.equals(content, at, at + wanted.length, wanted, 0, wanted.length)) {
        places.add(at);
        at += wanted.length;
      } else {
        at++;
      }
    }
    return places;
  }

  private static String lines(byte[] content, List<Integer> places) {
    return places.stream()
            .limit(MOST_LINES_NAMED)
            .map(place -> Integer.toString(Edited.line(content, place)))
            .collect(joining(", "))
        + (places.size() > MOST_LINES_NAMED ? ", …" : "");
  }

  /**
   * A changed file.
   *
   * @param changed where the new texts begin in it
   * @param length of each new text
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Edited(byte[] content, List<Integer> changed, int length) {

    Edited {
      changed = List.copyOf(changed);
    }

    /** From 1. */
    static int line(byte[] content, int place) {
      int line = 1;
      for (int at = 0; at < place; at++) {
        line += content[at] == '\n' ? 1 : 0;
      }
      return line;
    }

    /**
     * The lines around one change, without secrets.
     *
     * @param place one of {@link #changed}
     */
    Excerpt around(int place, Redactions redactions) {
      int from = place;
      for (int lines = 0; from > 0 && place - from < Excerpt.MOST; from--) {
        if (content[from - 1] == '\n' && lines++ == Excerpt.CONTEXT) {
          break;
        }
      }
      int to = Math.min(place + length, place + Excerpt.MOST);
      int end = to;
      for (int lines = 0; to < content.length && to - end < Excerpt.MOST; ) {
        if (content[to++] == '\n' && lines++ == Excerpt.CONTEXT) {
          break;
        }
      }
      from += Utf8.firstBoundary(Arrays.copyOfRange(content, from, to));
      var cut = Arrays.copyOfRange(content, from, to);
      int whole = to == content.length ? cut.length : Utf8.lastBoundary(cut, cut.length);
      return new Excerpt(
          line(content, from),
          new String(redactions.window(content, from, from + whole).bytes(), UTF_8));
    }
  }

  /**
   * @param line of its first character, from 1
   */
  record Excerpt(int line, String text) {

    /** Lines before and after. */
    static final int CONTEXT = 3;

    /** Most bytes before, of and after the change. */
    static final int MOST = 2_000;
  }
}
