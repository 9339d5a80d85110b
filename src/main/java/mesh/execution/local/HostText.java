package mesh.execution.local;

import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import mesh.execution.BackendException;

/**
 * Text on its way to the operating system. Java encodes arguments and paths as the locale says that
 * it was started under, and puts a question mark for what that cannot express.
 */
final class HostText {

  private static final Charset NATIVE =
      Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

  private HostText() {}

  /**
   * @throws BackendException.Rejected if the locale cannot express it
   */
  static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException _) {
      throw poorLocale();
    }
  }

  /**
   * @throws BackendException.Rejected if the locale cannot express one of them
   */
  static List<String> arguments(List<String> argv) {
    var encoder = NATIVE.newEncoder();
    if (!argv.stream().allMatch(encoder::canEncode)) {
      throw poorLocale();
    }
    return argv;
  }

  private static BackendException poorLocale() {
    return new BackendException.Rejected(
        "Mesh was started under a locale that knows "
            + NATIVE
            + " only: start it with LC_ALL=C.UTF-8 to use other characters",
        null);
  }
}
