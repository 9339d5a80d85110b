package mesh.workspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import mesh.redaction.Redactions;
import org.jspecify.annotations.Nullable;

/**
 * What the search found, without secrets.
 *
 * @param truncated whether there may be more
 */
record GrepMatches(List<Line> lines, boolean truncated) {

  /** Where the script cuts a line. */
  private static final int CLIPPED = 2_000;

  private static final Pattern LINE = Pattern.compile("([0-9]+)([:-])(.*)", Pattern.DOTALL);

  GrepMatches {
    lines = List.copyOf(lines);
  }

  /**
   * @param context whether it was printed for what is beside it
   * @param clipped whether the line goes on
   */
  record Line(String path, int number, String text, boolean context, boolean clipped) {}

  /**
   * @param given where was looked
   * @param printed by the script; a file that was itself given has the path {@code .}
   * @param glob what paths must match
   * @param limit most lines that match
   * @param cutShort whether the script had more to print
   */
  static GrepMatches read(
      String given, byte[] printed, Glob glob, int limit, boolean cutShort, Redactions redactions) {
    var lines = new ArrayList<Line>();
    int matches = 0;
    int at = 0;
    while (at < printed.length) {
      int pathEnd = indexOf(printed, (byte) 0, at);
      int end = indexOf(printed, (byte) 0, Math.min(pathEnd + 1, printed.length));
      var path = new String(printed, at, pathEnd - at, UTF_8);
      boolean isFile = path.equals(".");
      if (isFile || (path.startsWith("./") && glob.matches(path.substring(2)))) {
        var name = isFile ? given : FilePaths.below(given, redactions.apply(path.substring(2)));
        for (int from = pathEnd + 1; from < end; ) {
          int to = Math.min(indexOf(printed, (byte) '\n', from), end);
          boolean clipped = to - from >= CLIPPED || (cutShort && to == printed.length);
          var line = line(name, printed, from, to, clipped, redactions);
          if (line != null) {
            matches += line.context() ? 0 : 1;
            if (matches > limit) {
              return new GrepMatches(lines, true);
            }
            lines.add(line);
          }
          from = to + 1;
        }
      }
      at = end + 1;
    }
    return new GrepMatches(lines, cutShort);
  }

  private static @Nullable Line line(
      String path, byte[] printed, int from, int to, boolean clipped, Redactions redactions) {
    var raw = Arrays.copyOfRange(printed, from, to);
    int length = clipped ? Utf8.lastBoundary(raw, raw.length) : raw.length;
    var text = new ByteArrayOutputStream();
    var stream =
        redactions.open(bytes -> {
          var piece = new byte[bytes.remaining()];
          bytes.get(piece);
          text.writeBytes(piece);
        });
    stream.write(ByteBuffer.wrap(raw, 0, length));
    if (clipped) {
      stream.cut();
    } else {
      stream.end();
    }
    var parts = LINE.matcher(text.toString(UTF_8));
    return parts.matches()
        ? new Line(
            path,
            Integer.parseInt(parts.group(1)),
            parts.group(3),
            parts.group(2).equals("-"),
            clipped)
        : null;
  }

  private static int indexOf(byte[] bytes, byte wanted, int from) {
    int at = from;
    while (at < bytes.length && bytes[at] != wanted) {
      at++;
    }
    return at;
  }
}
