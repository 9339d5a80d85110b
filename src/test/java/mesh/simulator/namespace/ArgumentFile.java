package mesh.simulator.namespace;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Hands a process arguments that this JVM cannot. In the POSIX locale the JDK replaces what is not
 * ASCII by question marks; a shell reads it from a file byte by byte.
 */
final class ArgumentFile {

  private static final Charset NATIVE =
      Charset.forName(System.getProperty("sun.jnu.encoding", "US-ASCII"));

  private ArgumentFile() {}

  static boolean neededFor(Map<String, String> environment, List<String> argv) {
    var encoder = NATIVE.newEncoder();
    return !argv.stream().allMatch(encoder::canEncode)
        || !environment.values().stream().allMatch(encoder::canEncode);
  }

  /** The command that does what {@code argv} says, with nothing but ASCII in it. */
  static List<String> wrap(Path folder, Map<String, String> environment, List<String> argv)
      throws IOException {
    var script = new StringBuilder();
    environment.forEach(
        (name, value) -> script.append("export " + name + "=" + quoted(value) + "\n"));
    script.append(
        argv.stream().map(ArgumentFile::quoted).collect(Collectors.joining(" ", "exec ", "\n")));
    if (script.indexOf("\0") >= 0) {
      throw new IOException("an argument holds a NUL character");
    }
    return List.of(
        "/bin/sh", Files.writeString(folder.resolve(UUID.randomUUID() + ".sh"), script).toString());
  }

  private static String quoted(String word) {
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
