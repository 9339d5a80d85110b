package mesh.dashboard.output;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** An argv as one would type it into a shell. For reading only: Mesh never parses it back. */
public final class CommandLine {

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./^~-]+");

  private CommandLine() {}

  public static String of(List<String> argv) {
    return argv.stream().map(CommandLine::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
